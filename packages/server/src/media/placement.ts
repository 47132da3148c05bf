/** The load of one worker, by a room and by others. */
export interface WorkerLoad {
  /** Consumers of other rooms. */
  otherConsumers: number
  /** Consumers of the room. */
  consumers: number
  /** Endpoints of the room, open or being opened. */
  endpoints: number
}

export interface PlacementSettings {
  /** Consumers that one worker serves well, because it uses one core. */
  consumersPerWorker: number
}

/** About 500 consumers use a core (mediasoup.org, "Scalability"). */
export const DEFAULT_CONSUMERS_PER_WORKER = 500

/** A microphone and a camera. */
const TRACKS_PER_SENDER = 2
/** Beyond this many participants, most only watch. */
const MAX_ASSUMED_SENDERS = 30
/** Pipes cost more than they save in a room that uses less than this part of a worker. */
const SMALL_ROOM = 1 / 4

/**
 * The consumers that each endpoint of a room is expected to have. People publish only after their endpoints have been
 * placed, so that participants count as senders before they are.
 */
export const expectedConsumers = (endpoints: number, publications: number): number =>
  Math.max(publications, TRACKS_PER_SENDER * Math.min(endpoints, MAX_ASSUMED_SENDERS))

type Place<T> = readonly [T, WorkerLoad]

/**
 * Chooses the worker for another endpoint: among those that serve the room (`own`, at least one) and those that do not
 * (`others`). A room uses another worker only when its own are full, and a small room never does.
 */
export function choosePlace<T>(
  own: Place<T>[],
  others: Place<T>[],
  publications: number,
  { consumersPerWorker }: PlacementSettings,
): T {
  const endpoints = 1 + own.reduce((sum, [, load]) => sum + load.endpoints, 0)
  const perEndpoint = expectedConsumers(endpoints, publications)
  const expected = ([, { otherConsumers, consumers, endpoints }]: Place<T>) =>
    otherConsumers + Math.max(consumers, endpoints * perEndpoint)
  const least = (best: Place<T>, place: Place<T>) => (expected(place) < expected(best) ? place : best)
  const present = own.reduce(least)
  const best = others.reduce(least, present)
  const isFull = expected(present) + perEndpoint > consumersPerWorker
  const isSmall = endpoints * perEndpoint < consumersPerWorker * SMALL_ROOM
  return (isFull && !isSmall ? best : present)[0]
}
