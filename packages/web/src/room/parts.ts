import { type ComponentType, createContext, type RefObject, useContext } from 'react'
import type { CallEndReason } from '../call/end-reasons.ts'
import type { OwnPermissions } from '../call/own-permissions.ts'
import type { LessonSummary } from './ended/lesson-log.ts'
import type { JoinedState } from './joined-state.ts'
import type { Panel } from './panels.ts'
import type { Room } from './room.ts'

interface PartProps {
  room: Room
  joined: JoinedState
}

export interface EndedProps {
  room: Pick<Room, 'isCall' | 'features' | 'look'>
  reason: CallEndReason
  /** The summary of a session that was ended for everybody. */
  lesson: LessonSummary | null
  /** To the page of the link. */
  onBack: () => void
  onRejoin: () => void
}

/** The exports of `parts-module.ts`. */
export interface RoomParts {
  CallEndedPage: ComponentType<EndedProps>
  MoreMenu: ComponentType<PartProps & { may: OwnPermissions }>
  Panel: ComponentType<PartProps & { tab: Panel }>
  PipView: ComponentType<{ room: Room }>
  ReactionStrip: ComponentType<PartProps & { opener: RefObject<HTMLButtonElement | null> }>
  RoomDialogs: ComponentType<PartProps>
  ShareMenu: ComponentType<PartProps & { may: OwnPermissions }>
  SharingBar: ComponentType<{ room: Room }>
}

/** Null until they are loaded. */
export const RoomPartsContext = createContext<RoomParts | null>(null)

export const useRoomParts = (): RoomParts | null => useContext(RoomPartsContext)
