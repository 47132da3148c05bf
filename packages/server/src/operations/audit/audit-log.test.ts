import { readFileSync } from 'node:fs'
import { AUDIT_ACTIONS } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import type { AuditStore } from '../stores/audit.ts'
import { AuditLog } from './audit-log.ts'
import type { AuditEntry, AuditResult } from './ports.ts'

const entry: AuditEntry = {
  actor: { kind: 'command_line', name: 'root', address: null },
  action: 'service_account.rotate',
  target: 'school',
  details: {},
}

const logWhose = (settle: (result: AuditResult) => Promise<void>) => {
  const results: AuditResult[] = []
  const store = {
    begin: async () => 1,
    settle: async (_id: number, result: AuditResult) => {
      results.push(result)
      await settle(result)
    },
  } as unknown as AuditStore
  return { log: new AuditLog(store, Date.now), results }
}

describe('the audit log', () => {
  it('AUDIT-1 returns what an action has made, such as a secret, also if its outcome cannot be stored', async () => {
    const { log, results } = logWhose(() => Promise.reject(new Error('the disk is full')))
    expect(await log.run(entry, async () => 'the new secret')).toBe('the new secret')
    expect(results).toEqual([{ outcome: 'done', code: null }])
    await expect(log.run(entry, () => Promise.reject(new Error('why it failed')))).rejects.toThrow(
      'why it failed',
    )
  })

  it('has actions that docs/administration.md lists', () => {
    const [, table = ''] = readFileSync(
      new URL('../../../../../docs/administration.md', import.meta.url),
      'utf8',
    ).split('### Actions')
    const listed = new Set([...table.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action]) => action))
    expect([...listed].sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
  })
})
