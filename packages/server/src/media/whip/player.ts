import type { MediaMessage } from '@lectern/control-client'
import type {
  JsonObject,
  MediaRef,
  MediaSource,
  SessionState,
  SubscribeOffer,
} from '@lectern/protocol/control'
import type { DtlsParameters, MediaKind, RtpCapabilities } from 'mediasoup-client/types'
import { LossAdaptation } from './loss-adaptation.ts'
import type { Participation } from './participation.ts'

/** The user who is played, or the active speaker; `video` restricts it to one source. */
export interface PlayerChoice {
  userId?: string | undefined
  video?: 'camera' | 'screen' | undefined
}

type Publication = SessionState['publications'][number]

interface Watched {
  state: Pick<SessionState, 'participants' | 'publications'>
  /** The last active speaker. */
  speaker: string | null
  /** The participant that plays. */
  self: string
}

/**
 * The publications to play. Audio is a microphone; video is a shared screen, else a camera. For the speaker that is
 * anybody's screen.
 */
export function choosePublications(
  { state, speaker, self }: Watched,
  { userId, video }: PlayerChoice,
): Record<MediaKind, Publication | undefined> {
  const { participants, publications } = state
  const isPlayed = (id: string) => id !== self && publications.some(each => each.participant_id === id)
  const people = participants.filter(({ participant_id }) => isPlayed(participant_id))
  const person =
    userId === undefined
      ? (people.find(({ participant_id }) => participant_id === speaker) ?? people[0])
      : people.find(({ user_id }) => user_id === userId)
  const find = (source: MediaSource, by = person?.participant_id) =>
    publications.findLast(each => each.source === source && each.participant_id === by && !each.paused)
  const sharer = publications.findLast(
    ({ source, paused, participant_id }) => source === 'screen' && !paused && participant_id !== self,
  )?.participant_id
  const screen = video === 'camera' ? undefined : find('screen', userId === undefined ? sharer : undefined)
  const camera = video === 'screen' ? undefined : find('camera')
  return { audio: find('microphone'), video: screen ?? camera }
}

/** Plays one microphone and one video at a time, by answering the offers of the server that are chosen. */
export class Player {
  readonly #participation: Participation
  readonly #choice: PlayerChoice
  readonly #dtls: DtlsParameters
  readonly #offers = new Map<string, MediaRef>()
  readonly #answered = new Set<string>()
  #playing: Record<MediaKind, string | undefined> = { audio: undefined, video: undefined }
  #speaker: string | null = null
  /** Browsers give no feedback about their bandwidth here: their header extensions have other ids (decision 74). */
  readonly #adaptation = new LossAdaptation()

  constructor(participation: Participation, choice: PlayerChoice, dtls: DtlsParameters) {
    this.#participation = participation
    this.#choice = choice
    this.#dtls = dtls
    const { control, joined } = participation
    control.onMedia(message => this.#onOffer(message))
    control.onSignal(({ name, sourceId, body }) => {
      if (name === 'connection.quality' && sourceId === joined.participant_id)
        this.#adaptation.setQuality(Number(body.score), performance.now())
      if (name !== 'speaker.active' || body.participant_id === null) return
      if (body.participant_id === joined.participant_id) return
      this.#speaker = String(body.participant_id)
      this.#update()
    })
    control.session(joined.conference_session_id).subscribe(() => this.#update())
  }

  /** Resolves when offers of publications begin to arrive. */
  async start(capabilities: RtpCapabilities): Promise<void> {
    const { control, target, endpoint } = this.#participation
    const body = {
      endpoint_id: endpoint.endpoint_id,
      rtp_capabilities: capabilities as unknown as JsonObject,
    }
    await control.command('media.receive', target, body)
  }

  /** MUST be called every few seconds. */
  tick(): void {
    const { video } = this.#playing
    if (this.#adaptation.tick(performance.now()) && video !== undefined && this.#answered.has(video))
      this.#show(video, this.#shown)
  }

  get #shown(): JsonObject {
    return { ...this.#adaptation.size, priority: 'high' }
  }

  #onOffer({ media, name, body }: MediaMessage): void {
    if (name !== 'webrtc_offer') return
    const { publication_id } = media
    const isNew = this.#offers.get(publication_id)?.negotiation_id !== media.negotiation_id
    this.#offers.set(publication_id, media)
    if (isNew) this.#answered.delete(publication_id) // another consumer of the publication
    const { kind } = body as unknown as SubscribeOffer
    if (this.#playing[kind] === publication_id) this.#play(publication_id)
    else this.#update()
  }

  #update(): void {
    const { control, joined } = this.#participation
    const state = control.session(joined.conference_session_id).get()
    if (!state) return
    for (const id of this.#offers.keys())
      if (!state.publications.some(({ publication_id }) => publication_id === id)) {
        this.#offers.delete(id)
        this.#answered.delete(id)
      }
    const chosen = choosePublications(
      { state, speaker: this.#speaker, self: joined.participant_id },
      this.#choice,
    )
    for (const kind of ['audio', 'video'] as const) {
      const next = chosen[kind]?.publication_id
      const present = this.#playing[kind]
      if (next === present) continue
      this.#playing[kind] = next
      if (present !== undefined && this.#answered.has(present)) this.#show(present, null)
      if (next !== undefined) this.#play(next)
    }
  }

  /** Nothing is sent before the answer. A publication without an offer, as in an unknown codec, is not played. */
  #play(publicationId: string): void {
    const media = this.#offers.get(publicationId)
    if (!media) return
    if (!this.#answered.has(publicationId)) {
      this.#answered.add(publicationId)
      const body = { format: 'ortc', dtls_parameters: { ...this.#dtls } as unknown as JsonObject }
      this.#participation.control.sendMedia(media, 'webrtc_answer', body)
    }
    this.#show(publicationId, this.#shown)
  }

  #show(publication_id: string, shown: JsonObject | null): void {
    const { control, target } = this.#participation
    // The publication, or the player, may end meanwhile.
    control.command('media.set_layers', target, { publication_id, shown } as never).catch(() => {})
  }
}
