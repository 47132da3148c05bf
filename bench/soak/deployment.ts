import { join } from 'node:path'
import { pollUntil } from '@lectern/common'
import { PartnerClient } from '@lectern/partner'
import { addUser, startService } from '../support/lectern.ts'
import { Account } from './accounts.ts'

const PASSWORD = 'a-password-of-the-bench'
const READY_WITHIN_MS = 120_000

/** The real programs: the service with its media workers, recorder and transcriber. */
export async function startDeployment(folder: string) {
  const service = await startService(folder, {
    scopes: ['integration:rooms', 'blob'],
    settings: {
      SVC_RECORDER_EMBEDDED: '1',
      SVC_TRANSCRIBER_EMBEDDED: '1',
      SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
      SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '5',
    },
  })
  const { url, program } = service
  const signIn = async (login: string, ...options: string[]) => {
    await addUser(service, login, PASSWORD, ...options)
    return Account.signIn(url, login, PASSWORD)
  }
  const admin = await signIn('admin', '--capability', 'admin')
  const hasTranscriber = async () => {
    const info = (await (await fetch(`${url}/api/v1.0/server_info`)).json()) as object
    return JSON.stringify(info).includes('"transcription_available":true')
  }
  if (!(await pollUntil(hasTranscriber, { intervalMs: 500, timeoutMs: READY_WITHIN_MS })))
    throw new Error('The transcriber is not ready.')
  return {
    url,
    pid: program.pid,
    data: join(folder, 'data'),
    partner: new PartnerClient({ baseUrl: url, ...service.account }),
    accounts: [await signIn('anna'), await signIn('ben')] as [Account, Account],
    transcribe: (tag: string) => transcribe(url, admin, tag),
    stop: () => program.stop(),
  }
}

async function transcribe(url: string, admin: Account, tag: string): Promise<void> {
  const request = async (isRefused: boolean) =>
    fetch(`${url}/api/v1.0/admin/conferences/${tag}/transcription`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await admin.token(isRefused)}`,
      },
      body: JSON.stringify({ action: 'start' }),
    })
  let response = await request(false)
  if (response.status === 401) response = await request(true)
  if (!response.ok) throw new Error(`a transcription was refused with ${response.status}`)
}
