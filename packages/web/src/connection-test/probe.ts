import type { ProbeView } from '@lectern/protocol'
import type { Api } from '../api/api.ts'
import { ROUTES, type Route, type Target } from './connection-test.ts'
import { describeServer } from './description.ts'

/** A slower route is no good for a conversation. */
const CONNECT_TIMEOUT_MS = 5_000

/** Requests a test endpoint from the server. Rejects when there is none, or the server does not respond. */
export async function openTarget(api: Api): Promise<Target> {
  const answer = await api.post('/api/v1.0/connection-test', {})
  if (answer.is !== 'ok') throw new Error(`no target: ${answer.is}`)
  const probe = answer.body as ProbeView
  return {
    routes: ROUTES.filter(route => route !== 'relay' || probe.ice_servers.length > 0),
    reach: route => reach(probe, route),
  }
}

const protocols = { udp: ['udp'], tcp: ['tcp'], relay: ['udp', 'tcp'] } as const

/** Whether the server responds to ICE checks on this route. That suffices: media uses the same route. */
async function reach(probe: ProbeView, route: Route): Promise<boolean> {
  const connection = new RTCPeerConnection(
    route === 'relay' ? { iceServers: probe.ice_servers, iceTransportPolicy: 'relay' } : {},
  )
  try {
    const answered = hasAnswered(connection)
    connection.createDataChannel('probe') // ICE needs a media section or channel to connect
    await connection.setLocalDescription()
    const [, mid = '0'] = /^a=mid:(\S+)/m.exec(connection.localDescription?.sdp ?? '') ?? []
    await connection.setRemoteDescription({
      type: 'answer',
      sdp: describeServer(probe, mid, protocols[route]),
    })
    return await answered
  } finally {
    connection.close()
  }
}

/** Browsers take several times as long to give up. */
function hasAnswered(connection: RTCPeerConnection): Promise<boolean> {
  return new Promise(resolve => {
    const late = setTimeout(() => resolve(false), CONNECT_TIMEOUT_MS)
    connection.addEventListener('iceconnectionstatechange', () => {
      const { iceConnectionState: state } = connection
      if (state !== 'connected' && state !== 'completed' && state !== 'failed') return
      clearTimeout(late)
      resolve(state !== 'failed')
    })
  })
}
