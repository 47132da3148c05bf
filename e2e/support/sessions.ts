import type { Page } from 'playwright-core'

/** Records the conference_session_id of every successful join of the page. */
export function recordJoinedSessions(page: Page): string[] {
  const joined: string[] = []
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => {
      const data = JSON.parse(String(payload)).control_result?.data
      if (data?.participant_id !== undefined) joined.push(data.conference_session_id)
    }),
  )
  return joined
}
