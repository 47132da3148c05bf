import { once } from 'node:events'
import WebSocket from 'ws'
import { MediasoupParticipant, type Participant, type Signalling } from './participant.ts'

export async function joinBare(url: string, room: string): Promise<Participant> {
  const socket = new WebSocket(`${url}/${room}`)
  await once(socket, 'message')
  /** One request at a time. */
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
  return new MediasoupParticipant(signalling)
}
