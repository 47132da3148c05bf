import { randomBytes } from 'node:crypto'

/** A process of this installation, as the others know it. */
export interface ServerIdentity {
  /** NAME-<8 hex digits>, new at every start: a restarted server is another one. */
  id: string
  name: string
  /** The address for the other servers, e.g. `http://10.0.0.5:8080`. */
  advertise: string
  region: string
  version: string
}

/** An identity with a new id, for this start of the process. */
export const createIdentity = (about: Omit<ServerIdentity, 'id'>): ServerIdentity => ({
  ...about,
  id: `${about.name}-${randomBytes(4).toString('hex')}`,
})
