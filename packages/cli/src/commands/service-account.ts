import { SCOPES } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { type Command, Option } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

type Account = Awaited<ReturnType<Operator['serviceAccounts']['list']>>[number]

interface Settings extends CommonOptions {
  scope?: string[]
}

const scopeHelp = `permissions: ${SCOPES.join(', ')}`

export function addServiceAccount(lectern: Command) {
  const group = lectern.command('service-account').description('manage accounts of partner backends')

  addCommand(
    group,
    'add <name>',
    'create a service account and print its secret, which cannot be shown again',
  )
    .requiredOption('--user <login>', 'technical user who owns its rooms')
    .requiredOption('--scope <scope...>', scopeHelp)
    .action(add)

  addCommand(group, 'set <name>', 'change a service account; takes effect immediately')
    .addOption(new Option('--enable', 'enable the account').conflicts('disable'))
    .option('--disable', 'disable the account and reject its existing tokens')
    .option('--scope <scope...>', `${scopeHelp}; replaces the current scopes, for new tokens`)
    .action(set)

  addCommand(group, 'list', 'list all service accounts').action(list)
}

async function add(name: string, options: CommonOptions & { user: string; scope: string[] }) {
  const { account, clientSecret } = await withOperator(options, ({ serviceAccounts }) =>
    serviceAccounts.add(name, options.user, options.scope),
  )
  const text = `Created service account ${account.name}.\nClient secret (not shown again): ${clientSecret}`
  print(options, { service_account: account.name, client_secret: clientSecret }, text)
}

async function set(name: string, options: Settings & { enable?: true; disable?: true }) {
  const enabled = options.enable ? true : options.disable ? false : undefined
  await withOperator(options, async ({ serviceAccounts, users }) => {
    const account = await serviceAccounts.set(name, { enabled, scopes: options.scope })
    print(options, present(account, loginsOf(await users.list())), `Updated service account ${name}.`)
  })
}

async function list(options: CommonOptions) {
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

/** The public fields of an account, without the hash of its secret. */
const present = ({ name, clientId, scopes, enabled, createdAt }: Account, logins: Map<number, string>) => ({
  service_account: name,
  user_id: clientId,
  login: logins.get(clientId) ?? null,
  scopes,
  enabled,
  created_at: createdAt,
})
