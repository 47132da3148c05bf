import { newId } from '../../control/ids.ts'

export type HttpSessionKind = 'whip' | 'whep'

const WITH_TAG = /^wh[ie]p\.([^.]+)\./

/** A new id. It names the conference, so that each server of a cluster finds the one that has the session. */
export const newSessionId = (kind: HttpSessionKind, tag: string): string => newId(`${kind}.${tag}`)

/** The conference of a session; null for an id that was not issued. */
export const tagOfSession = (id: string): string | null => WITH_TAG.exec(id)?.[1] ?? null
