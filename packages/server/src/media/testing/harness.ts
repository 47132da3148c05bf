import type { MediaSource } from '@lectern/protocol/control'
import { observer } from 'mediasoup'
import type { Consumer, Producer } from 'mediasoup/types'
import { pino } from 'pino'
import { vi } from 'vitest'
import type {
  EndpointDescription,
  EndpointOptions,
  MediaServer,
  Negotiation,
  ParticipantRef,
  SfuEvents,
  SubscribeOffer,
} from '../ports.ts'
import { Sfu, type SfuParts } from '../sfu.ts'
import type { PoolSettings } from '../worker-pool.ts'
import { dtlsParameters, opus, simulcast, vp8 } from './rtp.ts'

/** Retries an assertion until it holds; the timeout allows for busy machines. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: 100_000, interval: 10 })

/** A value as it arrives over the network. */
const viaJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

export interface TestOffer {
  participant: ParticipantRef
  negotiation: Negotiation
  offer: SubscribeOffer
}

export type HarnessSettings = Partial<PoolSettings> &
  Pick<SfuParts, 'republishTimeoutMs' | 'consumersPerWorker' | 'nodes'>

/** A media server, the SFU that carries it out, and how to wait until both have done what was asked. */
export interface MediaUnderTest {
  media: MediaServer
  sfu: Sfu
  settled(): Promise<void>
  stop(): Promise<void>
}

const openSfu = async (settings: PoolSettings, parts: SfuParts): Promise<MediaUnderTest> => {
  const sfu = await Sfu.start(settings, parts)
  return { media: sfu, sfu, settled: async () => {}, stop: () => sfu.stop() }
}

let openMedia = openSfu

/** Runs the tests on another implementation. MUST be called before they begin, by a setup file. */
export function testOn(open: typeof openSfu): void {
  openMedia = open
}

/** An SFU with real workers that records its events and the mediasoup objects behind it. */
export class SfuTestHarness {
  readonly events: unknown[][] = []
  readonly offers = new Map<string, TestOffer[]>()
  readonly consumers = new Map<string, Consumer>()
  readonly producers = new Set<Producer>()
  declare sfu: Sfu
  declare media: MediaServer
  /** Resolves when requests to the media server are done, and their events have arrived. */
  declare settled: () => Promise<void>
  declare stop: () => Promise<void>

  /** Parsed log lines. */
  readonly log: { level: number; [field: string]: unknown }[] = []

  /** `open` replaces what `testOn` has chosen. */
  static async open(
    { republishTimeoutMs, consumersPerWorker, nodes, ...settings }: HarnessSettings = {},
    open = openMedia,
  ): Promise<SfuTestHarness> {
    const harness = new SfuTestHarness()
    harness.#observeWorkers()
    const capture = { write: (line: string) => void harness.log.push(JSON.parse(line)) }
    const opened = await open(
      { listenIp: '127.0.0.1', announcedAddress: '', port: 0, workers: 1, ...settings },
      {
        events: harness.#handlers(),
        log: pino({ level: 'debug' }, capture),
        ...(republishTimeoutMs && { republishTimeoutMs }),
        ...(consumersPerWorker && { consumersPerWorker }),
        ...(nodes && { nodes }),
      },
    )
    Object.assign(harness, opened)
    return harness
  }

  /** A participant of a session with an open room. */
  participant(participantId: string, sessionId = 1): TestParticipant {
    this.media.openRoom({ sessionId, incarnation: 1 })
    return new TestParticipant(this, { sessionId, participantId })
  }

  /** The arguments of all events of a name. */
  eventsOf(name: keyof SfuEvents): unknown[][] {
    return this.events.filter(([event]) => event === name).map(([, ...rest]) => rest)
  }

  /** Records producers and consumers, also of workers that replace others. */
  #observeWorkers(): void {
    observer.on('newworker', worker =>
      worker.observer.on('newrouter', router =>
        router.observer.on('newtransport', transport => {
          transport.observer.on('newproducer', producer => this.producers.add(producer))
          transport.observer.on('newconsumer', consumer => this.consumers.set(consumer.id, consumer))
        }),
      ),
    )
  }

  #handlers(): SfuEvents {
    const record =
      (name: keyof SfuEvents) =>
      (...rest: unknown[]) =>
        void this.events.push([name, ...rest])
    return {
      offer: (participant, negotiation, offer) => {
        const { participantId } = participant
        const offers = this.offers.get(participantId) ?? []
        this.offers.set(participantId, [...offers, viaJson({ participant, negotiation, offer })])
      },
      published: record('published'),
      changed: record('changed'),
      unpublished: record('unpublished'),
      moved: record('moved'),
      activeSpeaker: record('activeSpeaker'),
      audioLevels: record('audioLevels'),
      quality: record('quality'),
      reception: record('reception'),
      undecodable: record('undecodable'),
    }
  }
}

const parametersOf: Record<MediaSource, () => object> = {
  microphone: opus,
  camera: simulcast,
  screen: vp8,
  screen_audio: opus,
}

/** The client side of a participant. */
export class TestParticipant {
  readonly harness: SfuTestHarness
  readonly ref: ParticipantRef
  declare endpoint: EndpointDescription

  constructor(harness: SfuTestHarness, ref: ParticipantRef) {
    this.harness = harness
    this.ref = ref
  }

  get offers(): TestOffer[] {
    return this.harness.offers.get(this.ref.participantId) ?? []
  }

  async open(options: EndpointOptions = {}): Promise<EndpointDescription> {
    this.endpoint = viaJson(await this.harness.media.openEndpoint(this.ref, options))
    return this.endpoint
  }

  async enter(): Promise<this> {
    await this.open()
    await this.receive()
    return this
  }

  receive(capabilities: object = this.endpoint.routerRtpCapabilities): Promise<void> {
    return this.harness.media.setRtpCapabilities(this.ref, this.endpoint.endpointId, viaJson(capabilities))
  }

  negotiation(publicationId: string, source: MediaSource): Negotiation {
    return {
      id: 'n1',
      publicationId,
      endpointId: this.endpoint.endpointId,
      workerId: this.endpoint.workerId,
      routeGeneration: this.endpoint.routeGeneration,
      kind: source === 'microphone' || source === 'screen_audio' ? 'audio' : 'video',
      direction: 'publish',
    }
  }

  publish(
    id: string,
    source: MediaSource,
    { paused = false, parameters = parametersOf[source](), negotiation = this.negotiation(id, source) } = {},
  ) {
    return this.harness.media.publish(this.ref, negotiation, {
      source,
      paused,
      rtpParameters: viaJson(parameters) as Record<string, unknown>,
      dtlsParameters,
    })
  }

  answer({ negotiation }: TestOffer): Promise<void> {
    return this.harness.media.answer(this.ref, negotiation, { dtlsParameters })
  }

  consumer({ offer }: TestOffer): Consumer {
    const consumer = this.harness.consumers.get(offer.consumerId)
    if (!consumer) throw new Error('no such consumer')
    return consumer
  }
}
