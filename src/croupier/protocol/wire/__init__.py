"""Messages between a player's browser and the server. The client's TypeScript types are generated from them.

`t` names a message. A command's `req` is chosen by the client and unique to it: the server executes a command
once, and answers a repeated one with the original answer. `v` numbers the updates of a table without gaps;
after a gap the client sends `hello` and receives the missed updates or a snapshot. All amounts are whole
numbers of the currency's smallest unit.

A live table sends one `live` message to all players on the same path of decisions, and a `mine` with each
player's own part. Both are complete and replace the previous one.
"""

from croupier.protocol.wire.accounts import (
    AccountMail,
    ActiveBreak,
    EndDevice,
    MailAddressChange,
    MailAddressRemoval,
    MailLink,
    Me,
    NewAccount,
    PasswordChange,
    PasswordReset,
    PlayerSignIn,
    RecoveryRequest,
    SignedInDevice,
    VerifiedAddress,
)
from croupier.protocol.wire.advice import (
    AdviceRequest,
    DecisionAdvice,
    DecisionReview,
    Mistake,
    ReviewRequest,
    TrainingLine,
    TrainingRecord,
    TrainingTotals,
)
from croupier.protocol.wire.base import (
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
from croupier.protocol.wire.camera import (
    AnswerCamera,
    CameraOffer,
    CameraState,
    CameraUpdate,
    CameraView,
    ChooseLayer,
    EquipmentCamera,
    IceServer,
    PictureLayer,
    ReportFirstPicture,
    SessionDescription,
    StopCamera,
    StreamAddress,
    WatchCamera,
    WatchStream,
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
from croupier.protocol.wire.history import (
    GameTotals,
    History,
    HistoryLine,
    HistoryRound,
    HistoryStep,
    RoundLink,
    SharedReplay,
    SharedStep,
    StatementEntry,
)
from croupier.protocol.wire.launches import Launch, LaunchLimit, LaunchLink, LaunchToken
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
    BonusUpdate,
    DatabaseUpdate,
    JurisdictionProfile,
    No,
    Ok,
    PlayedRound,
    PlayerBonus,
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
from croupier.protocol.wire.oidc import IdentityServerAnswer, IdentityServerPage
from croupier.protocol.wire.pages import (
    AcceptRequest,
    BetLimits,
    BonusAcceptance,
    BonusCancellation,
    BreakRequest,
    CashierRequest,
    CoverageLimit,
    CurrencyLimits,
    CurrencyView,
    DisplayedReturn,
    DocumentChange,
    DocumentLine,
    DocumentList,
    DocumentPage,
    DueDocument,
    ExactReturn,
    ExclusiveBets,
    Helpline,
    LastRound,
    LimitRequest,
    LiveTableStatus,
    LobbyTable,
    OfferedBonus,
    PastResult,
    PeriodTotals,
    PlayerHelp,
    PlayerLimit,
    Problem,
    RecentTables,
    ResponsibleGaming,
    RulesPage,
    ServerInfo,
)
from croupier.protocol.wire.passkeys import (
    NewPasskey,
    NewPasskeyAccount,
    PasskeyAccountName,
    PasskeyChallenge,
    PasskeyCreation,
    PasskeyRemoval,
    PasskeySignIn,
    PasskeyView,
)
from croupier.protocol.wire.payments import PaymentLine, PaymentList, PaymentMethod
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
    "AcceptRequest",
    "AccountMail",
    "ActiveBreak",
    "AdviceRequest",
    "AnswerCamera",
    "AnswerReminder",
    "Balance",
    "BalanceUpdate",
    "BetLimits",
    "BetReturn",
    "BetTerms",
    "BonusAcceptance",
    "BonusCancellation",
    "BonusUpdate",
    "BreakRequest",
    "CameraOffer",
    "CameraState",
    "CameraUpdate",
    "CameraView",
    "CashierRequest",
    "ChatLine",
    "ChatPosted",
    "ChatRemoved",
    "ChooseLayer",
    "ClientCommand",
    "Command",
    "CoverageLimit",
    "CurrencyLimits",
    "CurrencyView",
    "DatabaseUpdate",
    "DealRound",
    "Decide",
    "DecisionAdvice",
    "DecisionReview",
    "DecisionShare",
    "DisplayedReturn",
    "DocumentChange",
    "DocumentLine",
    "DocumentList",
    "DocumentPage",
    "DueDocument",
    "EndDevice",
    "EndSession",
    "EquipmentCamera",
    "ExactReturn",
    "ExclusiveBets",
    "GameTotals",
    "Hello",
    "Helpline",
    "History",
    "HistoryLine",
    "HistoryRound",
    "HistoryStep",
    "IceServer",
    "Identifier",
    "IdentityServerAnswer",
    "IdentityServerPage",
    "Join",
    "JurisdictionProfile",
    "LastRound",
    "Launch",
    "LaunchLimit",
    "LaunchLink",
    "LaunchToken",
    "Leave",
    "LimitRequest",
    "LiveClock",
    "LiveSnapshot",
    "LiveState",
    "LiveTableStatus",
    "LiveUpdate",
    "LobbyTable",
    "MailAddressChange",
    "MailAddressRemoval",
    "MailLink",
    "Me",
    "Message",
    "Mistake",
    "NewAccount",
    "NewPasskey",
    "NewPasskeyAccount",
    "No",
    "OccupiedSeat",
    "OfferedBonus",
    "Ok",
    "PasskeyAccountName",
    "PasskeyChallenge",
    "PasskeyCreation",
    "PasskeyRemoval",
    "PasskeySignIn",
    "PasskeyView",
    "PasswordChange",
    "PasswordReset",
    "PastResult",
    "PaymentLine",
    "PaymentList",
    "PaymentMethod",
    "PaytableLine",
    "PeriodTotals",
    "PictureLayer",
    "Ping",
    "PlaceBet",
    "PlayedRound",
    "PlayerBonus",
    "PlayerDecision",
    "PlayerHelp",
    "PlayerLimit",
    "PlayerResult",
    "PlayerSignIn",
    "PlayerState",
    "PlayerUpdate",
    "Pong",
    "PostChat",
    "Problem",
    "PublishedPercentage",
    "Pulse",
    "RecentTables",
    "RecoveryRequest",
    "ReminderAnswered",
    "ReminderMinutes",
    "ReportChatLine",
    "ReportFirstPicture",
    "RequestId",
    "ResponsibleGaming",
    "ResumedTable",
    "ReviewRequest",
    "RoundEvent",
    "RoundLink",
    "RoundView",
    "RulesPage",
    "SaveSettings",
    "ServerInfo",
    "ServerMessage",
    "SessionDescription",
    "Settings",
    "SettingsUpdate",
    "SharedReplay",
    "SharedStep",
    "SignedInDevice",
    "Sit",
    "SmallInt",
    "Stake",
    "StakeRange",
    "StakeResult",
    "StandUp",
    "StatementEntry",
    "StopCamera",
    "StrategyReturn",
    "StreamAddress",
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
    "VerifiedAddress",
    "WatchCamera",
    "WatchStream",
    "Welcome",
]

PROTOCOL = 4


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
    | BonusUpdate
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
    | CameraUpdate
    | DatabaseUpdate
)
