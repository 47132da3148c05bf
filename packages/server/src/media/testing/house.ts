import type { MediaRef, MediaSource, SubscribeOffer } from '@lectern/protocol/control'
import type { Consumer, Producer } from 'mediasoup/types'
import { pino } from 'pino'
import { vi } from 'vitest'
import type { Opened, Seat, SfuEvents } from '../ports.ts'
import { Sfu } from '../sfu.ts'
import type { PoolSettings } from '../worker-pool.ts'
import { dtlsParameters, opus, simulcast, vp8 } from './rtp.ts'

/** Waits for what becomes true by itself, also on a machine that is busy. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

/** As it comes over the wire. */
const wired = <T>(value: T): T => JSON.parse(JSON.stringify(value))

export interface TestOffer {
  ref: MediaRef
  offer: SubscribeOffer
}

export type HouseSettings = Partial<PoolSettings> & { republishWithinMs?: number }

/** An SFU with real workers, everything it tells, and everything that mediasoup made for it. */
export class House {
  readonly told: unknown[][] = []
  readonly offers = new Map<string, TestOffer[]>()
  readonly consumers = new Map<string, Consumer>()
  readonly producers = new Set<Producer>()
  declare sfu: Sfu

  /** What was logged, each line as an object. */
  readonly log: { level: number; [field: string]: unknown }[] = []

  static async open({ republishWithinMs, ...settings }: HouseSettings = {}): Promise<House> {
    const house = new House()
    const capture = { write: (line: string) => void house.log.push(JSON.parse(line)) }
    house.sfu = await Sfu.start(
      { listenIp: '127.0.0.1', announcedAddress: '', port: 0, workers: 1, ...settings },
      {
        events: house.#events(),
        log: pino({ level: 'debug' }, capture),
        ...(republishWithinMs && { republishWithinMs }),
      },
    )
    house.watch()
    return house
  }

  /** Who joins a session whose room is noted. */
  guest(participantId: string, sessionId = 1): Guest {
    this.sfu.openRoom(sessionId)
    return new Guest(this, { sessionId, participantId })
  }

  /** All that was told under a name, without its name. */
  of(name: keyof SfuEvents): unknown[][] {
    return this.told.filter(([told]) => told === name).map(([, ...rest]) => rest)
  }

  /** The workers that live now. To be repeated for those that replace them. */
  watch(): void {
    for (const { worker } of this.sfu.workers.living)
      worker.observer.on('newrouter', router =>
        router.observer.on('newtransport', transport => {
          transport.observer.on('newproducer', producer => this.producers.add(producer))
          transport.observer.on('newconsumer', consumer => this.consumers.set(consumer.id, consumer))
        }),
      )
  }

  #events(): SfuEvents {
    const tell =
      (name: keyof SfuEvents) =>
      (...rest: unknown[]) =>
        void this.told.push([name, ...rest])
    return {
      offer: (seat, ref, offer) => {
        const offers = this.offers.get(seat.participantId) ?? []
        this.offers.set(seat.participantId, [...offers, wired({ ref, offer })])
      },
      published: tell('published'),
      changed: tell('changed'),
      unpublished: tell('unpublished'),
      moved: tell('moved'),
      activeSpeaker: tell('activeSpeaker'),
      audioLevels: tell('audioLevels'),
      quality: tell('quality'),
    }
  }
}

const parametersOf: Record<MediaSource, () => object> = {
  microphone: opus,
  camera: simulcast,
  screen: vp8,
  screen_audio: opus,
}

/** What a client does. */
export class Guest {
  readonly house: House
  readonly seat: Seat
  declare endpoint: Opened

  constructor(house: House, seat: Seat) {
    this.house = house
    this.seat = seat
  }

  get offers(): TestOffer[] {
    return this.house.offers.get(this.seat.participantId) ?? []
  }

  async open(options: { tcp_only?: boolean } = {}): Promise<Opened> {
    this.endpoint = wired(await this.house.sfu.open(this.seat, options))
    return this.endpoint
  }

  async enter(): Promise<this> {
    await this.open()
    await this.receive()
    return this
  }

  receive(capabilities: object = this.endpoint.router_rtp_capabilities): Promise<void> {
    return this.house.sfu.receive(this.seat, this.endpoint.endpoint_id, wired(capabilities))
  }

  ref(publicationId: string, source: MediaSource): MediaRef {
    return {
      conference_session_id: String(this.seat.sessionId),
      participant_instance_id: this.seat.participantId,
      publication_id: publicationId,
      endpoint_id: this.endpoint.endpoint_id,
      negotiation_id: 'n1',
      rtc_node_id: this.endpoint.rtc_node_id,
      route_generation: this.endpoint.route_generation,
      scope: source === 'microphone' || source === 'screen_audio' ? 'audio' : 'video',
    }
  }

  publish(
    id: string,
    source: MediaSource,
    { paused = false, parameters = parametersOf[source](), ref = this.ref(id, source) } = {},
  ) {
    return this.house.sfu.publish(this.seat, ref, {
      format: 'ortc',
      source,
      paused,
      rtp_parameters: wired(parameters) as Record<string, unknown>,
      dtls_parameters: dtlsParameters,
    })
  }

  answer({ ref }: TestOffer): Promise<void> {
    return this.house.sfu.answer(this.seat, ref, { format: 'ortc', dtls_parameters: dtlsParameters })
  }

  consumer({ offer }: TestOffer): Consumer {
    const consumer = this.house.consumers.get(offer.consumer_id)
    if (!consumer) throw new Error('no such consumer')
    return consumer
  }
}
