import { type ComponentType, createContext, useContext } from 'react'
import type { OwnPermissions } from '../call/own-permissions.ts'
import type { JoinedState } from './joined-state.ts'
import type { Panel } from './panels.ts'
import type { Room } from './room.ts'

interface PartProps {
  room: Room
  joined: JoinedState
}

/** The exports of `parts-module.ts`. */
export interface RoomParts {
  MoreMenu: ComponentType<PartProps & { may: OwnPermissions }>
  Panel: ComponentType<PartProps & { tab: Panel }>
  PipView: ComponentType<{ room: Room }>
  RoomDialogs: ComponentType<PartProps>
  ShareMenu: ComponentType<PartProps & { may: OwnPermissions }>
}

/** Null until they are loaded. */
export const RoomPartsContext = createContext<RoomParts | null>(null)

export const useRoomParts = (): RoomParts | null => useContext(RoomPartsContext)
