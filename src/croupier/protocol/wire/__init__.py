"""Every message between a player's browser and the server. The TypeScript types are made from this file.

`t` names a message. Commands carry `req`, made by the client and unique to it: a command is done
once, and sent again it gets the same answer. Table messages carry `v`, one more with each event of
that player's table; after a gap the client asks again with Hello and gets the events it missed, or
a snapshot. All amounts are whole numbers of the currency's smallest unit.

A live table tells everybody the same in one `live` message for each path of decisions, and each player
his own part in a `mine`; both are absolute and replace what was there before.
"""

from croupier.protocol.wire.advice import (
    Advice,
    AdviceOrder,
    DecisionOrder,
    Judged,
    Mistake,
    OptionWorth,
    PlayLine,
    PlayTotals,
    Training,
)
from croupier.protocol.wire.base import (
    FromBrowser,
    FromServer,
    Happening,
    Minor,
    Minutes,
    Name,
    Request,
    RoundView,
    Settings,
    Small,
    Stake,
)
from croupier.protocol.wire.commands import (
    AnswerReminder,
    Bet,
    Deal,
    Decide,
    EndSession,
    Following,
    Hello,
    Join,
    Leave,
    Ping,
    Report,
    SaveSettings,
    Say,
    Sit,
    StandUp,
    Undo,
)
from croupier.protocol.wire.live import (
    ChatGone,
    ChatLine,
    ChatSaid,
    LiveClock,
    LiveEvent,
    LiveSnapshot,
    LiveState,
    Mine,
    MineNow,
    MyDecision,
    MyResult,
    Pulse,
    ResultLine,
    SeatNow,
    ShareOf,
)
from croupier.protocol.wire.messages import (
    Balance,
    BalanceNow,
    Event,
    No,
    Ok,
    PlayedRound,
    Pong,
    Profile,
    Reminded,
    SettingsNow,
    Snapshot,
    TableState,
    TakenOver,
    Upgrade,
    Welcome,
)
from croupier.protocol.wire.pages import (
    BarOrder,
    BetLimits,
    Care,
    CashierOrder,
    Covering,
    CurrencyLimits,
    CurrencyView,
    ExactReturn,
    FloorLine,
    Helpline,
    History,
    HistoryLine,
    HistoryRound,
    HistoryStep,
    House,
    Kept,
    LastRound,
    LimitOrder,
    LobbyTable,
    Me,
    OwnLimit,
    PastResult,
    Problem,
    Published,
    RecentTables,
    RulesPage,
    Span,
    StatementLine,
    Together,
)
from croupier.protocol.wire.table_data import (
    BetReturn,
    BetTerms,
    PayLine,
    PublishedReturn,
    StakeRange,
    StrategyReturn,
    TableData,
)

__all__ = [
    "PROTOCOL",
    "Advice",
    "AdviceOrder",
    "AnswerReminder",
    "Balance",
    "BalanceNow",
    "BarOrder",
    "Bet",
    "BetLimits",
    "BetReturn",
    "BetTerms",
    "Care",
    "CashierOrder",
    "ChatGone",
    "ChatLine",
    "ChatSaid",
    "Command",
    "Covering",
    "CurrencyLimits",
    "CurrencyView",
    "Deal",
    "Decide",
    "DecisionOrder",
    "EndSession",
    "Event",
    "ExactReturn",
    "FloorLine",
    "Following",
    "FromBrowser",
    "FromServer",
    "Happening",
    "Hello",
    "Helpline",
    "History",
    "HistoryLine",
    "HistoryRound",
    "HistoryStep",
    "House",
    "Join",
    "Judged",
    "Kept",
    "LastRound",
    "Leave",
    "LimitOrder",
    "LiveClock",
    "LiveEvent",
    "LiveSnapshot",
    "LiveState",
    "LobbyTable",
    "Me",
    "Message",
    "Mine",
    "MineNow",
    "Minor",
    "Minutes",
    "Mistake",
    "MyDecision",
    "MyResult",
    "Name",
    "No",
    "Ok",
    "OptionWorth",
    "OwnLimit",
    "PastResult",
    "PayLine",
    "Ping",
    "PlayLine",
    "PlayTotals",
    "PlayedRound",
    "Pong",
    "Problem",
    "Profile",
    "Published",
    "PublishedReturn",
    "Pulse",
    "RecentTables",
    "Reminded",
    "Report",
    "Request",
    "ResultLine",
    "RoundView",
    "RulesPage",
    "SaveSettings",
    "Say",
    "SeatNow",
    "Settings",
    "SettingsNow",
    "ShareOf",
    "Sit",
    "Small",
    "Snapshot",
    "Span",
    "Stake",
    "StakeRange",
    "StandUp",
    "StatementLine",
    "StrategyReturn",
    "TableData",
    "TableState",
    "TakenOver",
    "Together",
    "Training",
    "Undo",
    "Upgrade",
    "Welcome",
]

PROTOCOL = 2


Command = (
    Hello
    | Join
    | Leave
    | Deal
    | Decide
    | Bet
    | Undo
    | Sit
    | StandUp
    | Say
    | Report
    | SaveSettings
    | AnswerReminder
    | EndSession
    | Ping
)

Message = (
    Welcome
    | Pong
    | Ok
    | No
    | Snapshot
    | Event
    | BalanceNow
    | SettingsNow
    | Reminded
    | TakenOver
    | Upgrade
    | LiveSnapshot
    | LiveEvent
    | MineNow
    | Pulse
    | ChatSaid
    | ChatGone
)
