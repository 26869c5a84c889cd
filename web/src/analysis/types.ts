// What travels between the analysis board and the server, under the names that the pages use for it.
import type {
  AnnotateMessage,
  CommentMessage,
  DeleteMessage,
  LineMessage,
  NagsMessage,
  PromoteMessage,
  StudyMoveMessage,
  TagsMessage,
} from '../server/types';

export type {
  AnalyseMessage as AnalyseCommand,
  AnyStudyNews as StudyMessage,
  CandidateView as Candidate,
  CrowdView as Crowd,
  FileGame,
  FileSummary,
  FileView,
  Imported,
  LineMove,
  LineView as EngineLine,
  NodeView as StudyNode,
  PeopleHere,
  PlaceView as Place,
  ReviewedMove,
  ReviewedSide,
  ReviewView as Review,
  SeatView as EngineView,
  StudyMessage as StudyCommand,
  StudySummary,
  StudyView,
  Tried,
  Wdl,
} from '../server/types';

type Unsent<Message> = Message extends unknown ? Omit<Message, 'revision' | 'id'> : never;

/** A change of the study; it is sent with the revision it is meant for. */
export type Edit = Unsent<
  | StudyMoveMessage
  | LineMessage
  | DeleteMessage
  | PromoteMessage
  | CommentMessage
  | NagsMessage
  | TagsMessage
  | AnnotateMessage
>;
