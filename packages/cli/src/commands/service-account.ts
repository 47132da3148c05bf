import { SCOPES } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { type Command, Option } from 'commander'
import { addCommand, type Common, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

type Account = Awaited<ReturnType<Operator['serviceAccounts']['list']>>[number]

interface Settings extends Common {
  scope?: string[]
}

const scopeHelp = `what it may do: ${SCOPES.join(', ')}`

export function addServiceAccount(lectern: Command) {
  const group = lectern.command('service-account').description("accounts of partners' backends")

  addCommand(group, 'add <name>', 'make a service account; its secret is printed, only this once')
    .requiredOption('--user <login>', 'the technical user who owns its rooms')
    .requiredOption('--scope <scope...>', scopeHelp)
    .action(add)

  addCommand(group, 'set <name>', 'change a service account; works at once, no restart')
    .addOption(new Option('--enable', 'let it in again').conflicts('disable'))
    .option('--disable', 'lock it out, also with tokens that it has')
    .option('--scope <scope...>', `${scopeHelp}; replaces the present ones, for new tokens`)
    .action(set)

  addCommand(group, 'list', 'show all service accounts').action(list)
}

async function add(name: string, options: Common & { user: string; scope: string[] }) {
  const { account, clientSecret } = await withOperator(options, ({ serviceAccounts }) =>
    serviceAccounts.add(name, options.user, options.scope),
  )
  const text = `Service account ${account.name} is made.\nClient secret (shown only now): ${clientSecret}`
  print(options, { service_account: account.name, client_secret: clientSecret }, text)
}

async function set(name: string, options: Settings & { enable?: true; disable?: true }) {
  const enabled = options.enable ? true : options.disable ? false : undefined
  await withOperator(options, async ({ serviceAccounts, users }) => {
    const account = await serviceAccounts.set(name, { enabled, scopes: options.scope })
    print(options, present(account, loginsOf(await users.list())), `Service account ${name} is changed.`)
  })
}

async function list(options: Common) {
  const views = await withOperator(options, async ({ serviceAccounts, users }) => {
    const logins = loginsOf(await users.list())
    return (await serviceAccounts.list()).map(account => present(account, logins))
  })
  const rows = views.map(view => [
    view.service_account,
    view.enabled ? 'yes' : 'no',
    view.login ?? `id ${view.user_id}`,
    view.scopes.join(' '),
  ])
  print(options, { service_accounts: views }, table(['name', 'enabled', 'user', 'scopes'], rows))
}

const loginsOf = (users: { id: number; login: string }[]) =>
  new Map(users.map(({ id, login }) => [id, login]))

/** What may be shown of an account: never the hash of its secret. */
const present = ({ name, clientId, scopes, enabled, createdAt }: Account, logins: Map<number, string>) => ({
  service_account: name,
  user_id: clientId,
  login: logins.get(clientId) ?? null,
  scopes,
  enabled,
  created_at: createdAt,
})
