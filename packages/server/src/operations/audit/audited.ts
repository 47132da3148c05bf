import type { AuditLog } from './audit-log.ts'
import type { Actor, AuditEntry } from './ports.ts'

// biome-ignore lint/suspicious/noExplicitAny: of any method
type Method = (...parameters: any[]) => Promise<unknown>

export type MethodsOf<Service> = {
  [Name in keyof Service as Service[Name] extends Method ? Name : never]: Service[Name]
}

type Description = Omit<AuditEntry, 'actor'>

/** How each method of a service is audited. `read`: it changes nothing. */
export type AuditRules<Service> = {
  [Name in keyof MethodsOf<Service>]:
    | 'read'
    | ((...parameters: Parameters<Extract<Service[Name], Method>>) => Description)
}

/** The service with an audit row for each action. A method that has no rule does not compile. */
export function audited<Service extends object>(
  service: Service,
  rules: AuditRules<Service>,
  log: AuditLog,
  actor: Actor,
): MethodsOf<Service> {
  const methods = Object.entries(rules).map(([name, rule]) => {
    const call: Method = (...parameters) => (service[name as keyof Service] as Method)(...parameters)
    const bound: Method = call
    if (rule === 'read') return [name, bound] as const
    const describe = rule as (...parameters: unknown[]) => Description
    const run: Method = (...parameters) =>
      log.run({ actor, ...describe(...parameters) }, () => bound(...parameters))
    return [name, run] as const
  })
  return Object.fromEntries(methods) as MethodsOf<Service>
}
