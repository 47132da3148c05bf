import { describe, expect, it } from 'vitest'
import type { AuditStore } from '../stores/audit.ts'
import type { AuditEntry } from './ports.ts'

const entry: AuditEntry = {
  actor: { kind: 'user', userId: 7, name: 'boss', address: '192.0.2.7' },
  action: 'user.change',
  target: '12',
  details: { capabilities: ['admin'] },
}

/**
 * The contract of every `AuditStore`. Each call of `open` returns an empty store; `execute` runs a statement beside it, as
 * somebody with the database file could.
 */
export function describeAuditStore(
  open: () => Promise<{ audit: AuditStore; execute: (statement: string) => Promise<unknown> }>,
) {
  describe('audit store', () => {
    it('AUDIT-1 stores a row before the action, and its outcome after it', async () => {
      const { audit } = await open()
      const id = await audit.begin(entry, 1000)
      const stored = { ...entry, id, atMs: 1000 }
      expect(await audit.list({}, { limit: 10 })).toEqual([{ ...stored, outcome: 'started', code: null }])
      await audit.settle(id, { outcome: 'refused', code: 'last_administrator', target: 'anna' })
      expect(await audit.list({}, { limit: 10 })).toEqual([
        { ...stored, target: 'anna', outcome: 'refused', code: 'last_administrator' },
      ])
    })

    it('AUDIT-2 keeps the first outcome, and rejects every other change of a row', async () => {
      const { audit, execute } = await open()
      const id = await audit.begin(entry, Date.now())
      await expect(execute(`UPDATE audit_log SET actor = 'x' WHERE id = ${id}`)).rejects.toThrow(
        'append-only',
      )
      await audit.settle(id, { outcome: 'done', code: null })
      await audit.settle(id, { outcome: 'failed', code: 'internal' })
      expect(await audit.list({}, { limit: 10 })).toMatchObject([{ target: '12', outcome: 'done' }])
      for (const statement of [
        `UPDATE audit_log SET outcome = 'started' WHERE id = ${id}`,
        `UPDATE audit_log SET target = 'x' WHERE id = ${id}`,
        'DELETE FROM audit_log',
      ])
        await expect(execute(statement)).rejects.toThrow('append-only')
    })

    it('AUDIT-4 removes only rows that are older than the retention', async () => {
      const { audit } = await open()
      await audit.begin(entry, 1000)
      await audit.begin(entry, Date.now())
      expect(await audit.sweep(5000)).toBe(1)
      await expect(audit.sweep(Date.now() + 5000)).rejects.toThrow('append-only')
      expect(await audit.list({}, { limit: 10 })).toHaveLength(1)
    })

    it('knows the newest complete backup, and no other action', async () => {
      const { audit } = await open()
      const backup = { ...entry, action: 'backup.create' as const }
      expect(await audit.newestBackupMs()).toBeNull()
      await audit.settle(await audit.begin(backup, 1000), { outcome: 'done', code: null })
      await audit.settle(await audit.begin(backup, 2000), { outcome: 'failed', code: 'internal' })
      await audit.settle(await audit.begin(entry, 3000), { outcome: 'done', code: null })
      await audit.begin(backup, 4000)
      expect(await audit.newestBackupMs()).toBe(1000)
    })

    it('lists pages, newest first, by action, outcome and part of actor, target or address', async () => {
      const { audit } = await open()
      const ids: number[] = []
      for (let i = 0; i < 5; i++) ids.push(await audit.begin({ ...entry, target: `room-${i}` }, i))
      await audit.settle(ids[1] as number, { outcome: 'done', code: null })
      await audit.begin(
        { ...entry, action: 'room.close', actor: { kind: 'command_line', name: 'Жанна_', address: null } },
        9,
      )
      const targets = async (...parameters: Parameters<AuditStore['list']>) =>
        (await audit.list(...parameters)).map(({ target }) => target)
      expect(await targets({ action: 'user.change' }, { limit: 2 })).toEqual(['room-4', 'room-3'])
      expect(await targets({}, { limit: 2, before: ids[3] as number })).toEqual(['room-2', 'room-1'])
      expect(await targets({ outcome: 'done' }, { limit: 9 })).toEqual(['room-1'])
      expect(await targets({ search: 'ROOM-2' }, { limit: 9 })).toEqual(['room-2'])
      expect(await targets({ search: 'жАнна_' }, { limit: 9 })).toEqual(['12'])
      expect(await targets({ search: '192.0.2' }, { limit: 9 })).toHaveLength(5)
      expect(await targets({ search: '%' }, { limit: 9 })).toEqual([])
    })

    it('lists what a user did and what was done to it, and nothing of users whose logins contain its login', async () => {
      const { audit } = await open()
      const by = (name: string, action: AuditEntry['action'], target: string) =>
        audit.begin({ ...entry, actor: { kind: 'user', userId: 7, name, address: '' }, action, target }, 1)
      await by('anna', 'room.close', 'a')
      await by('joanna', 'room.close', 'b')
      await by('boss', 'user.change', 'anna')
      await by('boss', 'user.change', 'joanna')
      await by('boss', 'service_account.change', 'anna')
      await audit.begin(
        { ...entry, actor: { kind: 'command_line', name: 'anna', address: null }, target: 'c' },
        1,
      )
      const found = await audit.list({ user: 'anna' }, { limit: 9 })
      expect(found.map(({ target }) => target)).toEqual(['anna', 'a'])
    })
  })
}
