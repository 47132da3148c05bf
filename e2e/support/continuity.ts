import type { Page } from 'playwright-core'

/** What a page has done since it was opened that interrupts its media, or makes it another participant. */
interface Interruptions {
  /** Joins, and opened endpoints. */
  commands: string[]
  participantIds: string[]
  /** Peer connections that were created and not closed, by number. */
  openConnections: number[]
}

type Instrumented = typeof globalThis & { peerConnections: RTCPeerConnection[] }

/**
 * Watches whether a page keeps its place in the conference and its connections to the media server. MUST be called before
 * the page is loaded.
 */
export async function watchContinuity(page: Page): Promise<() => Promise<Interruptions>> {
  const commands: string[] = []
  const participantIds: string[] = []
  page.on('websocket', socket => {
    socket.on('framesent', ({ payload }) => {
      const { name } = JSON.parse(String(payload)).control_command ?? {}
      if (name === 'conference.join' || name === 'media.open') commands.push(name)
    })
    socket.on('framereceived', ({ payload }) => {
      const id = JSON.parse(String(payload)).control_result?.data?.participant_id
      if (id !== undefined) participantIds.push(id)
    })
  })
  await page.addInitScript(recordPeerConnections)
  return async () => ({
    commands: [...commands],
    participantIds: [...participantIds],
    openConnections: await page.evaluate(listOpen),
  })
}

/** Runs in the page, before its own script. */
function recordPeerConnections(): void {
  const instrumented = globalThis as Instrumented
  instrumented.peerConnections = []
  instrumented.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      instrumented.peerConnections.push(this)
    }
  }
}

/** Runs in the page. */
const listOpen = (): number[] =>
  (globalThis as Instrumented).peerConnections.flatMap(({ signalingState }, number) =>
    signalingState === 'closed' ? [] : [number],
  )
