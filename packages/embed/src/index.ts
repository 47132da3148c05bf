export type { CommandError, RoomEvent, ThemeName } from './messages.ts'
export {
  LecternCommandError,
  LecternRoom,
  type LecternRoomOptions,
  type RoomEventName,
  type RoomEventOf,
} from './room.ts'
