import { type MediaStep, Member, type Ticket } from '../control/member.ts'
import { MediasoupParticipant, type Offered, type Participant, type Signalling } from './participant.ts'
import type { Kind } from './rtp.ts'
import type { Transport } from './sdp.ts'

interface Opened {
  endpoint_id: string
  rtc_node_id: string
  route_generation: string
  router_rtp_capabilities: never
  send: WireTransport
  receive: WireTransport
}

interface WireTransport {
  ice_parameters: Transport['iceParameters']
  ice_candidates: Transport['iceCandidates']
  dtls_parameters: Transport['dtlsParameters']
}

const sources: Record<Kind, string> = { audio: 'microphone', video: 'camera' }

/** A participant of a conference, by the control protocol (docs/control-protocol.md, rules G). */
export async function joinLectern(url: string, ticket: Ticket): Promise<Participant> {
  const member = new Member(url, ticket)
  await member.join()
  return new MediasoupParticipant(new LecternSignalling(member))
}

class LecternSignalling implements Signalling {
  readonly #member: Member
  #opened: Opened | null = null
  #offers: MediaStep[] = []
  #onMediaStep: (step: MediaStep) => void = () => {}

  constructor(member: Member) {
    this.#member = member
    member.onMedia = step => {
      if (step.name === 'webrtc_offer') this.#offers.push(step)
      this.#onMediaStep(step)
    }
  }

  async open() {
    const opened = (await this.#member.command('media.open', {})).data as Opened
    this.#opened = opened
    const { router_rtp_capabilities: capabilities, send, receive } = opened
    return { capabilities, send: readTransport(send), receive: readTransport(receive) }
  }

  publish(kind: Kind, rtp_parameters: object, dtls_parameters: object): Promise<void> {
    const media = this.#ref(kind)
    const body = { format: 'ortc', source: sources[kind], paused: false, rtp_parameters, dtls_parameters }
    const answered = new Promise<void>((resolve, reject) => {
      this.#onMediaStep = ({ name, body: { error } }) => {
        if (error) reject(new Error(JSON.stringify(error)))
        else if (name === 'webrtc_answer') resolve()
      }
    })
    this.#member.sendMedia({ media, name: 'webrtc_offer', body })
    return answered
  }

  async receive(rtp_capabilities: object, tracks: number): Promise<Offered[]> {
    const endpoint_id = this.#opened?.endpoint_id
    const all = new Promise<void>(resolve => {
      this.#onMediaStep = () => {
        if (this.#offers.length === tracks) resolve()
      }
    })
    await this.#member.command('media.receive', { endpoint_id, rtp_capabilities })
    if (this.#offers.length < tracks) await all
    return this.#offers.map(({ body }) => ({
      kind: body.kind as Kind,
      rtpParameters: body.rtp_parameters as Offered['rtpParameters'],
    }))
  }

  async answer(dtls_parameters: object): Promise<void> {
    const body = { format: 'ortc', dtls_parameters }
    for (const { media } of this.#offers) this.#member.sendMedia({ media, name: 'webrtc_answer', body })
  }

  close(): void {
    this.#member.close()
  }

  #ref(kind: Kind): Record<string, string> {
    if (!this.#opened) throw new Error('open first')
    const { endpoint_id, rtc_node_id, route_generation } = this.#opened
    const { conference_session_id, participant_id } = this.#member.membership
    return {
      conference_session_id,
      participant_instance_id: participant_id,
      publication_id: `${participant_id}.${kind}`,
      endpoint_id,
      negotiation_id: `n-${kind}`,
      rtc_node_id,
      route_generation,
      scope: kind,
    }
  }
}

const readTransport = ({ ice_parameters, ice_candidates, dtls_parameters }: WireTransport): Transport => ({
  iceParameters: ice_parameters,
  iceCandidates: ice_candidates,
  dtlsParameters: dtls_parameters,
})
