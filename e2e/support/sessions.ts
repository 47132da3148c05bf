import type { Page } from 'playwright-core'

/** Collects the conference_session_id of each join that the server answers to this page from now on. */
export function sessionsJoined(page: Page): string[] {
  const joined: string[] = []
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => {
      const data = JSON.parse(String(payload)).control_result?.data
      if (data?.participant_id !== undefined) joined.push(data.conference_session_id)
    }),
  )
  return joined
}
