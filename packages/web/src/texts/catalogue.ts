import type admin from './en/admin.json'
import type board from './en/board.json'
import type core from './en/core.json'
import type home from './en/home.json'
import type room from './en/room.json'
import type roomParts from './en/roomParts.json'

/** The texts of the parts, which load separately. English defines them. */
export interface English {
  core: typeof core
  room: typeof room
  roomParts: typeof roomParts
  board: typeof board
  home: typeof home
  admin: typeof admin
}
export type PartName = keyof English

/** All keys. Further plural forms of a language are not in the type. */
type Complete<T> = { [K in keyof T]: T[K] extends string ? string : Complete<T[K]> }

/** English replaces what is missing. */
type Incomplete<T> = { [K in keyof T]?: T[K] extends string ? string : Incomplete<T[K]> }

export type CompleteTexts = Complete<English>
export type Texts = Incomplete<English>
