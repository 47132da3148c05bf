import { once } from 'node:events'
import WebSocket from 'ws'
import { MediasoupSeat, type Seat, type Signalling } from './seat.ts'

export async function takeBareSeat(url: string, room: string): Promise<Seat> {
  const socket = new WebSocket(`${url}/${room}`)
  await once(socket, 'message')
  /** One question at a time. */
  const ask = async (name: string, body: object = {}) => {
    socket.send(JSON.stringify({ name, body }))
    const [data] = await once(socket, 'message')
    return JSON.parse(data.toString()).result
  }
  const signalling: Signalling = {
    open: () => ask('open'),
    publish: (kind, rtpParameters, dtlsParameters) => ask('publish', { kind, rtpParameters, dtlsParameters }),
    receive: rtpCapabilities => ask('receive', { rtpCapabilities }),
    answer: dtlsParameters => ask('answer', { dtlsParameters }),
    close: () => socket.close(),
  }
  return new MediasoupSeat(signalling)
}
