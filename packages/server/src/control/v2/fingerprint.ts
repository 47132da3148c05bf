import { hash } from 'node:crypto'
import type { ControlCommand, JsonObject } from '@lectern/protocol/control'

/** Equal for the same command, whatever the order of its keys. `ttl_ms` is no part of it (rule K3). */
export function fingerprintOf({ target, name, body, expected_version }: ControlCommand): string {
  return hash('sha256', canonical([target, name, body, expected_version ?? null]), 'base64')
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const object = value as JsonObject
  const fields = Object.keys(object).sort()
  return `{${fields.map(key => `${JSON.stringify(key)}:${canonical(object[key])}`).join(',')}}`
}
