import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { addUser, signInAs } from '../../support/accounts.ts'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { waitFor } from '../../support/wait.ts'

const RECORDER = repositoryPath('packages/recorder/dist/recorder.js')

const makeFolder = useFolders()
const lectern = useLectern()

/** A worker that dies is replaced by its standby, also when the standby has just been started. */
it('a standby recorder that is activated while it signs in becomes active', async () => {
  const worker = await addUser(lectern, 'worker-1', { kind: 'worker', capabilities: ['jobs.recorder'] })
  const { access_token } = await signInAs(lectern, worker)
  const folder = join(makeFolder(), 'recorder')
  const recorder = spawn(
    process.execPath,
    [RECORDER, '--url', lectern.url, '--folder', folder, '--standby'],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  onTestFinished(() => void recorder.kill('SIGKILL'))
  const messages: object[] = []
  recorder.on('message', message => {
    messages.push(message as object)
    if ('request' in (message as object)) {
      recorder.send({ begin: true })
      recorder.send({ access_token })
    }
  })
  await waitFor(() => messages.some(message => 'ready' in message), 'the recorder is ready')
  expect(messages).toContainEqual({ standby: true })
})
