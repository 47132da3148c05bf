import { createContext, useContext } from 'react'

export type RoomParts = typeof import('./parts-module.ts')

/** Null until they are loaded. */
export const RoomPartsContext = createContext<RoomParts | null>(null)

export const useRoomParts = (): RoomParts | null => useContext(RoomPartsContext)
