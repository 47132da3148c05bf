import { coalesced, tryEach } from '@lectern/common'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Room, RoomSessions } from '../../ports.ts'
import type { DeliveryStore } from '../../stores/deliveries.ts'
import type { ParticipantStore } from '../../stores/participants.ts'
import type { RoomStore } from '../../stores/rooms.ts'
import type { RoomDeletion, RoomDeletionStore } from '../../stores/v2/deletions.ts'
import type { PeopleStore } from '../../stores/v2/people.ts'
import type { ForgottenPeople } from '../people/forgotten-people.ts'
import { settingsOf } from './settings.ts'

export interface RoomDeletionsParts {
  store: RoomDeletionStore
  rooms: RoomStore
  people: PeopleStore
  participants: ParticipantStore
  deliveries: Pick<DeliveryStore, 'removeSubjects'>
  conferences: Pick<RoomSessions, 'end'>
  archive: {
    cancelJob(id: string): Promise<unknown>
    /** Ends a job that was cancelled, but whose worker is gone. */
    abandonJob(id: string): Promise<unknown>
    removeRecording(id: string): Promise<unknown>
    removeFile(id: string): Promise<void>
    /** Of the chat or the board, with its pages. */
    removeConferenceFile(id: string): Promise<void>
    /** The scopes of what workers have uploaded for the room: recordings, transcripts, and pages of its files. */
    scopesOf(tag: string, jobs: string[], files: string[]): string[]
  }
  forgotten: Pick<ForgottenPeople, 'unlessElsewhere'>
  /** Replaces the name of an account that is in no room any more. */
  forgetPerson(userId: number): Promise<void>
  /** Called when something happened that becomes an event. */
  onOccurred: () => void
  /** One server at a time. */
  exclusively(name: string, work: () => Promise<unknown>): Promise<unknown>
  clock: Clock
  log: Logger
}

/** Another worker has taken over the jobs of one that died by then, and removed their files, unless there is none. */
const WORKERS_AWAITED_MS = 600_000
/** After an event of the room: an endpoint that fails briefly, or the delivery of a killed server, gets two more attempts. */
const ENDPOINTS_AWAITED_MS = 60_000

/**
 * Deletes rooms with all that was made in them (rule DELETE-1). The remaining work is in the store, so that any server
 * continues it after a kill.
 */
export class RoomDeletions {
  readonly #parts: RoomDeletionsParts

  constructor(parts: RoomDeletionsParts) {
    this.#parts = parts
  }

  /** Resolves when its links are unknown and its session has ended. */
  async begin(room: Room): Promise<void> {
    const { store, people, rooms, clock } = this.#parts
    const { tag, clientId, externalId } = room
    const former = Object.values(room.people).flatMap(person => person.externalId ?? [])
    const ids = [...new Set([...former, ...(await people.externalIds(tag))])]
    const { metadata } = settingsOf(room)
    const deletion = { tag, clientId, externalId, metadata, people: ids, requestedAtMs: clock() }
    await store.begin(deletion)
    await rooms.remove(tag)
    await store.forgetRequests(deletion)
    await this.#parts.conferences.end(tag, 'closed').catch(error => this.#postpone(tag, error))
    void this.poll()
  }

  /** Goes on with all deletions. Never rejects. */
  readonly poll = coalesced(async () => {
    const { store, exclusively } = this.#parts
    try {
      if ((await store.listPending()).length === 0) return
      await exclusively('deletions of rooms', async () => {
        for (const deletion of await store.listPending())
          await this.#continue(deletion).catch(error => this.#postpone(deletion.tag, error))
      })
    } catch (error) {
      this.#parts.log.error({ err: error }, 'deletions of rooms could not be continued: retried')
    }
  })

  /** Returns early while workers, files of recordings, the events before or their endpoints are not done. */
  async #continue(deletion: RoomDeletion): Promise<void> {
    const { store, rooms, conferences, archive, deliveries, onOccurred, clock } = this.#parts
    const { tag } = deletion
    await rooms.remove(tag)
    await conferences.end(tag, 'closed')
    const unfinished = await store.unfinishedJobs(tag)
    if (unfinished.length > 0) {
      await tryEach(unfinished, id => archive.cancelJob(id))
      const isLate = clock() - deletion.requestedAtMs > WORKERS_AWAITED_MS
      return void (isLate && (await tryEach(unfinished, id => archive.abandonJob(id))))
    }
    const jobs = await store.recordedJobs(tag)
    await tryEach(await store.recordings(tag), id => archive.removeRecording(id))
    const files = await store.files(tag)
    for (const scope of archive.scopesOf(tag, await store.allJobs(tag), files))
      await tryEach(await store.blobs(scope), id => archive.removeFile(id))
    // Last: their scopes are found by them.
    await tryEach(files, id => archive.removeConferenceFile(id))
    onOccurred()
    if ((await store.recordings(tag)).length > 0 || (await store.hasOccurrences(tag))) return
    const nowMs = clock()
    if (await store.hasPendingDeliveries(tag, nowMs - ENDPOINTS_AWAITED_MS, nowMs)) return
    // Before their deliveries: the outbox of records withdraws what it adds later.
    await store.removeTranscripts(tag)
    await deliveries.removeSubjects(jobs.flatMap(id => [`recording:${id}`, `transcription:${id}`]))
    await this.#forgetPeople(deletion)
    await store.complete(deletion, clock())
    onOccurred()
  }

  async #forgetPeople({ clientId, tag, people: externalIds }: RoomDeletion): Promise<void> {
    const { store, people, participants, forgotten, forgetPerson } = this.#parts
    const attendees = await store.attendees(tag)
    const [inside] = await participants.externalIds([{ clientId, userIds: attendees }])
    // With those who were added while the deletion began, and those who were inside and were removed before.
    const all = [...externalIds, ...(await people.externalIds(tag)), ...(inside?.values() ?? [])]
    for (const externalId of new Set(all)) await forgotten.unlessElsewhere(clientId, externalId, tag)
    for (const userId of await store.ownGuests(tag)) await forgetPerson(userId)
  }

  #postpone(tag: string, error: unknown): void {
    this.#parts.log.warn({ err: error, conference: tag }, 'a room could not be deleted: retried')
  }
}
