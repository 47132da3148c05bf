import { execFileSync } from 'node:child_process'
import type { Lectern } from './lectern.ts'
import type { Account, Member } from './members.ts'
import { waitFor } from './wait.ts'

/** The transcriptions of a service with an embedded transcriber, as an administrator starts them. Waits until it is ready. */
export async function transcriptionOf(lectern: Lectern, admin: Account) {
  const isReady = async () => {
    const answer = await (await fetch(`${lectern.url}/api/v1.0/server_info`)).text()
    return answer.includes('"transcription_available":true,"transcription_languages":["en-US"]')
  }
  await waitFor(isReady, 'the transcriber is ready')

  const request = (tag: string, action: 'start' | 'stop'): Promise<Response> =>
    fetch(`${lectern.url}/api/v1.0/admin/conferences/${tag}/transcription`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.access_token}` },
      body: JSON.stringify({ action }),
    })

  return {
    request,
    /** Waits until all participants are notified. */
    async start(member: Member, tag: string): Promise<void> {
      const { status } = await request(tag, 'start')
      if (status !== 200) throw new Error(`The transcription was not started: ${status}.`)
      await waitFor(() => member.view?.transcription, 'it is transcribed')
    },
    /** Of the process of the transcriber. */
    pid: () =>
      waitFor(() => {
        const ps = execFileSync('ps', ['--ppid', String(lectern.pid), '-o', 'pid=,args='], {
          encoding: 'utf8',
        })
        const line = ps.split('\n').find(each => each.includes('transcriber'))
        return line === undefined ? null : Number.parseInt(line, 10)
      }, 'there is a transcriber'),
  }
}
