"""Messages between a player's browser and the server. The client's TypeScript types are generated from them.

`t` names a message. A command's `req` is chosen by the client and unique to it: the server executes a command
once, and answers a repeated one with the original answer. `v` numbers the updates of a table without gaps;
after a gap the client sends `hello` and receives the missed updates or a snapshot. All amounts are whole
numbers of the currency's smallest unit.

A live table sends one `live` message to all players on the same path of decisions, and a `mine` with each
player's own part. Both are complete and replace the previous one.
"""

from croupier.protocol.wire.advice import (
    AdviceRequest,
    DecisionAdvice,
    DecisionReview,
    Mistake,
    OptionValue,
    ReviewRequest,
    TrainingLine,
    TrainingRecord,
    TrainingTotals,
)
from croupier.protocol.wire.base import (
    AmountMinor,
    ClientCommand,
    Identifier,
    ReminderMinutes,
    RequestId,
    RoundEvent,
    RoundView,
    ServerMessage,
    Settings,
    SmallInt,
    Stake,
)
from croupier.protocol.wire.commands import (
    AnswerReminder,
    DealRound,
    Decide,
    EndSession,
    Hello,
    Join,
    Leave,
    Ping,
    PlaceBet,
    PostChat,
    ReportChatLine,
    ResumedTable,
    SaveSettings,
    Sit,
    StandUp,
    Undo,
)
from croupier.protocol.wire.live import (
    ChatLine,
    ChatPosted,
    ChatRemoved,
    DecisionShare,
    LiveClock,
    LiveSnapshot,
    LiveState,
    LiveUpdate,
    OccupiedSeat,
    PlayerDecision,
    PlayerResult,
    PlayerState,
    PlayerUpdate,
    Pulse,
    StakeResult,
)
from croupier.protocol.wire.messages import (
    Balance,
    BalanceUpdate,
    JurisdictionProfile,
    No,
    Ok,
    PlayedRound,
    Pong,
    ReminderAnswered,
    SettingsUpdate,
    TableSnapshot,
    TableState,
    TableUpdate,
    TakenOver,
    Upgrade,
    Welcome,
)
from croupier.protocol.wire.pages import (
    ActiveBreak,
    BetLimits,
    BreakRequest,
    CashierRequest,
    CoverageLimit,
    CurrencyLimits,
    CurrencyView,
    DisplayedReturn,
    ExactReturn,
    ExclusiveBets,
    Helpline,
    History,
    HistoryLine,
    HistoryRound,
    HistoryStep,
    LastRound,
    LimitRequest,
    LiveTableStatus,
    LobbyTable,
    Me,
    PastResult,
    PeriodTotals,
    PlayerLimit,
    Problem,
    RecentTables,
    ResponsibleGaming,
    RulesPage,
    ServerInfo,
    StatementEntry,
)
from croupier.protocol.wire.table_data import (
    BetReturn,
    BetTerms,
    PaytableLine,
    PublishedPercentage,
    StakeRange,
    StrategyReturn,
    TableData,
)

__all__ = [
    "PROTOCOL",
    "ActiveBreak",
    "AdviceRequest",
    "AmountMinor",
    "AnswerReminder",
    "Balance",
    "BalanceUpdate",
    "BetLimits",
    "BetReturn",
    "BetTerms",
    "BreakRequest",
    "CashierRequest",
    "ChatLine",
    "ChatPosted",
    "ChatRemoved",
    "ClientCommand",
    "Command",
    "CoverageLimit",
    "CurrencyLimits",
    "CurrencyView",
    "DealRound",
    "Decide",
    "DecisionAdvice",
    "DecisionReview",
    "DecisionShare",
    "DisplayedReturn",
    "EndSession",
    "ExactReturn",
    "ExclusiveBets",
    "Hello",
    "Helpline",
    "History",
    "HistoryLine",
    "HistoryRound",
    "HistoryStep",
    "Identifier",
    "Join",
    "JurisdictionProfile",
    "LastRound",
    "Leave",
    "LimitRequest",
    "LiveClock",
    "LiveSnapshot",
    "LiveState",
    "LiveTableStatus",
    "LiveUpdate",
    "LobbyTable",
    "Me",
    "Message",
    "Mistake",
    "No",
    "OccupiedSeat",
    "Ok",
    "OptionValue",
    "PastResult",
    "PaytableLine",
    "PeriodTotals",
    "Ping",
    "PlaceBet",
    "PlayedRound",
    "PlayerDecision",
    "PlayerLimit",
    "PlayerResult",
    "PlayerState",
    "PlayerUpdate",
    "Pong",
    "PostChat",
    "Problem",
    "PublishedPercentage",
    "Pulse",
    "RecentTables",
    "ReminderAnswered",
    "ReminderMinutes",
    "ReportChatLine",
    "RequestId",
    "ResponsibleGaming",
    "ResumedTable",
    "ReviewRequest",
    "RoundEvent",
    "RoundView",
    "RulesPage",
    "SaveSettings",
    "ServerInfo",
    "ServerMessage",
    "Settings",
    "SettingsUpdate",
    "Sit",
    "SmallInt",
    "Stake",
    "StakeRange",
    "StakeResult",
    "StandUp",
    "StatementEntry",
    "StrategyReturn",
    "TableData",
    "TableSnapshot",
    "TableState",
    "TableUpdate",
    "TakenOver",
    "TrainingLine",
    "TrainingRecord",
    "TrainingTotals",
    "Undo",
    "Upgrade",
    "Welcome",
]

PROTOCOL = 3


Command = (
    Hello
    | Join
    | Leave
    | DealRound
    | Decide
    | PlaceBet
    | Undo
    | Sit
    | StandUp
    | PostChat
    | ReportChatLine
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
    | TableSnapshot
    | TableUpdate
    | BalanceUpdate
    | SettingsUpdate
    | ReminderAnswered
    | TakenOver
    | Upgrade
    | LiveSnapshot
    | LiveUpdate
    | PlayerUpdate
    | Pulse
    | ChatPosted
    | ChatRemoved
)
