import type { Page } from 'playwright-core'

/** A page that speaks SDP and HTTP only, as any WebRTC stack may (docs/whip-whep.md). */

interface Endpoint {
  url: string
  token: string
}

export interface PageSession {
  location: string
  /** Of the connection in the page. */
  index: number
}

type PageGlobal = typeof globalThis & { connections?: RTCPeerConnection[] }

/** Publishes the fake camera and microphone. */
export const publish = (page: Page, endpoint: Endpoint): Promise<PageSession> =>
  page.evaluate(negotiate, { ...endpoint, sends: true })

/** Plays into elements of the page. */
export const play = (page: Page, endpoint: Endpoint): Promise<PageSession> =>
  page.evaluate(negotiate, { ...endpoint, sends: false })

/** Runs in the page. */
async function negotiate({ url, token, sends }: Endpoint & { sends: boolean }): Promise<PageSession> {
  const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const page = globalThis as PageGlobal
  page.connections = [...(page.connections ?? []), connection]
  const index = page.connections.length - 1
  connection.addEventListener('track', ({ track }) => {
    const element = document.body.appendChild(document.createElement(track.kind)) as HTMLMediaElement
    element.srcObject = new MediaStream([track])
    void element.play()
  })
  if (sends) {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    for (const track of stream.getTracks()) connection.addTransceiver(track, { direction: 'sendonly' })
  } else for (const kind of ['audio', 'video']) connection.addTransceiver(kind, { direction: 'recvonly' })
  await connection.setLocalDescription()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
    body: connection.localDescription?.sdp ?? '',
  })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
  return { location: response.headers.get('location') ?? '', index }
}

interface Decoded {
  frames: number
  /** Of the audio of the present sender; it grows with sound only. */
  energy: number
}

/** What a connection of the page has decoded so far. */
export const readDecoded = (page: Page, { index }: PageSession): Promise<Decoded> =>
  page.evaluate(async at => {
    const stats = await (globalThis as PageGlobal).connections?.[at]?.getStats()
    const decoded = { frames: 0, energy: 0 }
    for (const each of stats?.values() ?? []) {
      if (each.type !== 'inbound-rtp') continue
      decoded.energy += each.totalAudioEnergy ?? 0
    }
    // Statistics end with the sender of a section, an element continues.
    for (const video of document.querySelectorAll('video'))
      decoded.frames += video.getVideoPlaybackQuality().totalVideoFrames
    return decoded
  }, index)

/** Ends the session; resolves with the status. */
export const endSession = (
  page: Page,
  endpoint: Endpoint,
  { location, index }: PageSession,
): Promise<number> =>
  page.evaluate(
    async ({ url, token, index }) => {
      const response = await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
      ;(globalThis as PageGlobal).connections?.[index]?.close()
      return response.status
    },
    { url: new URL(location, endpoint.url).href, token: endpoint.token, index },
  )
