import { createHmac, randomBytes } from 'node:crypto'
import { tryEach } from '@lectern/common'
import {
  ensure,
  type RecordingLinkResponse,
  Refusal,
  type StoredRecording,
  type StoredTranscript,
} from '@lectern/protocol'
import type { Static } from 'typebox'
import type { Keys } from '../../../accounts/keys.ts'
import type { Clock } from '../../../platform/clock.ts'
import { equalSecrets } from '../../../platform/constant-time.ts'
import type { Recording, Transcript } from '../../../records/ports.ts'
import type { AfterPage, Room } from '../../ports.ts'
import type { DeliveryStore } from '../../stores/deliveries.ts'
import type { RoomStore } from '../../stores/rooms.ts'
import type { FileLink, PartnerArchive } from '../../stores/v2/archive.ts'
import type { PartnerRetentionStore } from '../../stores/v2/retention.ts'
import type { KnownPeople } from '../events/known-people.ts'
import { settingsOf } from '../rooms/settings.ts'
import { presentStoredRecording, presentStoredTranscript, presentWholeTranscript } from './present.ts'

export interface RecordingsParts {
  store: PartnerArchive
  retention: Pick<PartnerRetentionStore, 'list'>
  rooms: Pick<RoomStore, 'find' | 'findByTag' | 'findOwnByTag' | 'listByTags' | 'listWithRetention'>
  deliveries: Pick<DeliveryStore, 'removeSubjects' | 'transcribed'>
  findTranscript: (id: string) => Promise<Transcript | null>
  /** Removes the record and its files; false when there is none. */
  removeRecording: (id: string) => Promise<boolean>
  /** Removes with a row in the audit log, which is stored first. */
  auditRemoval: (
    about: { clientId: number; recordingId: string; reason: 'partner' | 'retention' },
    remove: () => Promise<unknown>,
  ) => Promise<unknown>
  known: KnownPeople
  /** Whether a service account of the technical user is active. */
  isUsable: (clientId: number) => Promise<boolean>
  keys: Keys
  publicUrl: () => string
  clock: Clock
}

const PURPOSE = 'recording link'
const DAY_MS = 86_400_000
const BATCH = 200

/** The recordings and transcripts of a partner's rooms (docs/partner-api-v2.md#recordings). */
export class PartnerRecordings {
  readonly #parts: RecordingsParts

  constructor(parts: RecordingsParts) {
    this.#parts = parts
  }

  /** Throws `room_not_found` for a room that the partner does not have. */
  async list(
    clientId: number,
    externalId: string | undefined,
    page: AfterPage,
  ): Promise<{ recordings: StoredRecording[]; next: number | null }> {
    const { store, rooms } = this.#parts
    const room = externalId === undefined ? undefined : await this.#room(clientId, externalId)
    const { found: shown, hasMore } = await store.recordings({ clientId, tag: room?.tag }, page)
    const known = room
      ? [room]
      : await rooms.listByTags(shown.map(({ recording }) => recording.conferenceTag))
    const names = new Map(known.map(each => [each.tag, each.externalId]))
    return {
      recordings: shown.map(({ recording }) =>
        presentStoredRecording(recording, names.get(recording.conferenceTag) ?? ''),
      ),
      next: hasMore ? (shown.at(-1)?.id ?? null) : null,
    }
  }

  /** Throws `recording_not_found`, also for another partner's. */
  async get(clientId: number, id: string): Promise<StoredRecording> {
    const recording = await this.#find(clientId, id)
    const room = await this.#parts.rooms.findByTag(recording.conferenceTag)
    return presentStoredRecording(recording, room?.externalId ?? '')
  }

  /** Removes the record, its files, its links and its transcript. Throws `recording_not_found`. */
  async remove(clientId: number, id: string): Promise<void> {
    await this.#remove(await this.#find(clientId, id), clientId, 'partner')
  }

  /** Throws `recording_not_found` or `blob_not_found`. */
  async createLink(
    clientId: number,
    id: string,
    {
      path,
      expires_in,
      disposition = 'attachment',
    }: { path: string; expires_in: number; disposition?: string },
  ): Promise<Static<typeof RecordingLinkResponse>> {
    const { store, publicUrl, clock } = this.#parts
    const { files, jobId } = await this.#find(clientId, id)
    const file = files.find(each => each.path === path)
    ensure(file, 'blob_not_found')
    const expiresAtMs = clock() + expires_in * 1000
    const linkId = `lnk_${randomBytes(12).toString('hex')}`
    await store.addLink({ id: linkId, clientId, jobId, blobId: file.blobId, disposition, expiresAtMs })
    const url = `${publicUrl()}/api/v2/integration/files/${linkId}.${this.#sign(linkId)}`
    return { result: 200, id: linkId, url, expires_at: new Date(expiresAtMs).toISOString() }
  }

  /** May be repeated. Throws `recording_not_found`. */
  async revokeLink(clientId: number, id: string, linkId: string): Promise<void> {
    await this.#find(clientId, id)
    await this.#parts.store.removeLink(clientId, id, linkId)
  }

  /** Throws `link_invalid` for one that was not made here, was revoked or has expired, and while the partner is disabled. */
  async openLink(token: string): Promise<FileLink> {
    const { store, isUsable, keys, clock } = this.#parts
    const [id = '', mac = ''] = token.split('.')
    const isSigned = keys.deriveAccepted(PURPOSE).some(key => equalSecrets(macOf(key, id), mac))
    const link = isSigned ? await store.findLink(id) : null
    if (!link || link.expiresAtMs <= clock())
      throw new Refusal('link_invalid', 'This link is not valid any more.')
    const isValid = (await isUsable(link.clientId)) && (await store.recording(link.clientId, link.jobId))
    ensure(isValid, 'link_invalid', 'This link is not valid any more.')
    return link
  }

  async listTranscripts(
    clientId: number,
    externalId: string,
    page: AfterPage,
  ): Promise<{ transcripts: StoredTranscript[]; next: number | null }> {
    const room = await this.#room(clientId, externalId)
    const found = await this.#parts.store.transcripts(room.tag, { ...page, limit: page.limit + 1 })
    const shown = found.slice(0, page.limit)
    return {
      transcripts: shown.map(({ transcript }) => presentStoredTranscript(transcript, externalId)),
      next: found.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    }
  }

  /** Throws `transcript_not_found`, also for another partner's. */
  async transcript(clientId: number, id: string) {
    const { store, rooms, findTranscript } = this.#parts
    // The same number of queries for another partner's transcript as for none, and its long text is not read: neither
    // takes longer.
    const room = await rooms.findOwnByTag(clientId, (await store.tagOfTranscript(id)) ?? '')
    const found = room && (await findTranscript(id))
    ensure(found, 'transcript_not_found')
    const speakers = found.segments.map(({ speaker }) => speaker.client_id)
    const externalIds = await this.#parts.known.externalIds(clientId, speakers)
    return { transcript: found, shown: presentWholeTranscript(found, room.externalId, externalIds) }
  }

  /**
   * Removes recordings and transcripts that are older than their rooms keep them, and links that have expired. Rejects when
   * everything has been tried.
   */
  async sweep(): Promise<void> {
    const { store, clock } = this.#parts
    const sweeps = [() => this.#sweepRooms(), () => store.sweepLinks(clock()), () => this.#sweepDeliveries()]
    await tryEach(sweeps, each => each())
  }

  async #sweepRooms(): Promise<void> {
    const { rooms, retention } = this.#parts
    const defaults = await retention.list()
    const readPage = (after: number) => rooms.listWithRetention([...defaults.keys()], { after, limit: BATCH })
    const sweepPage = async (after: number): Promise<void> => {
      const page = await readPage(after)
      const further = page.length < BATCH ? [] : [() => sweepPage(page.at(-1)?.roomId ?? after)]
      const sweeps = page.map(room => () => this.#sweepRoom(room, defaults.get(room.clientId) ?? null))
      await tryEach([...sweeps, ...further], each => each())
    }
    await sweepPage(0)
  }

  /** Deliveries of version 1 with what was said in transcripts that administrators or `[Retention]` have removed. */
  async #sweepDeliveries(): Promise<void> {
    const { store, deliveries } = this.#parts
    for (let after = subjectOf(''); ; ) {
      const subjects = await deliveries.transcribed(after, BATCH)
      const existing = await store.transcribed(subjects.map(jobOf))
      await deliveries.removeSubjects(subjects.filter(subject => !existing.has(jobOf(subject))))
      if (subjects.length < BATCH) break
      after = subjects.at(-1) ?? after
    }
  }

  async #sweepRoom(room: Room, keptDays: number | null): Promise<void> {
    const { store, clock } = this.#parts
    const days = settingsOf(room).recording.keep_days ?? keptDays
    if (days === null) return
    const before = clock() - days * DAY_MS
    await tryEach(await store.expired(room.tag, before), async id => {
      const recording = await store.recording(room.clientId, id)
      if (recording) await this.#remove(recording, room.clientId, 'retention')
    })
    await this.#removeTranscripts(room.tag, await store.expiredTranscripts(room.tag, before))
  }

  /** Removes transcripts, with the deliveries of version 1 that have their text. */
  async #removeTranscripts(tag: string, ids: string[]): Promise<void> {
    const { store, deliveries } = this.#parts
    await store.removeTranscripts(tag, ids)
    // Afterwards: the outbox withdraws what it adds later.
    await deliveries.removeSubjects(ids.map(subjectOf))
  }

  async #remove(recording: Recording, clientId: number, reason: 'partner' | 'retention'): Promise<void> {
    const { store, removeRecording, auditRemoval } = this.#parts
    const { jobId: recordingId, conferenceTag } = recording
    await auditRemoval({ clientId, recordingId, reason }, async () => {
      await this.#removeTranscripts(conferenceTag, await store.transcriptsOf(recording))
      await removeRecording(recordingId)
    })
  }

  async #find(clientId: number, id: string): Promise<Recording> {
    const recording = await this.#parts.store.recording(clientId, id)
    ensure(recording, 'recording_not_found')
    return recording
  }

  async #room(clientId: number, externalId: string): Promise<Room> {
    const room = await this.#parts.rooms.find(clientId, externalId)
    ensure(room, 'room_not_found')
    return room
  }

  #sign(id: string): string {
    return macOf(this.#parts.keys.derive(PURPOSE), id)
  }
}

/** The subject of a delivery of version 1. */
const subjectOf = (job: string): string => `transcription:${job}`
const jobOf = (subject: string): string => subject.slice('transcription:'.length)

const macOf = (key: Buffer, id: string): string =>
  createHmac('sha256', key).update(id).digest('base64url').slice(0, 32)
