import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@lectern/protocol'
import { expect, it, onTestFinished } from 'vitest'
import type { User } from '../../accounts/ports.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { ordinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import { Directory } from './directory.ts'

const ANNA = { id: 7, login: 'anna', kind: 'ordinary', deletedAt: null } as User

/** The conferences of Anna, and what they do to sessions. */
async function openDirectory() {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-directory-'))
  const opened = await openMainStore(join(dir, 'lectern.db'))
  onTestFinished(async () => {
    await opened.close()
    rmSync(dir, { recursive: true })
  })
  const store = ordinaryConferenceStore(opened.db)
  const done: string[] = []
  const session = { isReachable: true }
  const directory = new Directory({
    store,
    lookup: { findOrdinary: tag => store.find(tag), findRoom: async () => null },
    registry: { isLive: async () => true, listLive: async tags => new Set(tags) },
    sessions: {
      end: async (tag, reason) => {
        if (!session.isReachable) throw new Refusal('temporarily_unavailable')
        done.push(`${tag} ${reason}`)
      },
      reevaluateLobby: async () => {},
      preview: async () => null,
    },
    admitsGuests: true,
    onChanged: () => {},
    onRemoved: tag => void done.push(`${tag} removed`),
    clock: Date.now,
  })
  return { directory, done, session }
}

it('conferences are removed by a repetition of the request if their session could not be ended', async () => {
  const { directory, done, session } = await openDirectory()
  const { tag } = await directory.create(ANNA, {})
  session.isReachable = false
  await expect(directory.remove(ANNA, tag)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  expect(await directory.listOf(ANNA)).toMatchObject([{ tag }])
  session.isReachable = true
  await directory.remove(ANNA, tag)
  expect(await directory.listOf(ANNA)).toEqual([])
  // Once more at the end: somebody may have started one in the meantime.
  expect(done).toEqual([`${tag} closed`, `${tag} removed`, `${tag} closed`])
})

it('conferences are all listed, as many as an account may have', async () => {
  const { directory } = await openDirectory()
  const create = () => directory.create(ANNA, {})
  for (let i = 0; i < 1_000; i++) await create()
  await expect(create()).rejects.toMatchObject({ code: 'permission_denied' })
  expect(await directory.listOf(ANNA)).toHaveLength(1_000)
})
