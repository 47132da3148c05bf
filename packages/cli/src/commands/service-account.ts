import { OVERLAP_MAX_SECONDS, SCOPES } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError, Option } from 'commander'
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
    .option(
      '--keep-days <days>',
      'when recordings are deleted of rooms that do not say so themselves: 1 to 3650 days, or "never"',
      readDays,
    )
    .action(set)

  addCommand(
    group,
    'rotate <name>',
    'replace the secret and print the new one; the former stays valid for a time',
  )
    .addOption(
      new Option(
        '--overlap <seconds>',
        'how long the former secret and its tokens stay valid: a day, if absent',
      )
        .argParser(readSeconds)
        .conflicts('now'),
    )
    .option('--now', 'revoke the former secret and its tokens at once, and one before it that is still valid')
    .action(rotate)

  addCommand(
    group,
    'finish-rotation <name>',
    'revoke the former secret and its tokens before its time is over',
  ).action(finishRotation)

  addCommand(
    group,
    'add-owner <name> <login>',
    'let a person act for the service accounts of the same technical user, with their own sign-in',
  ).action(addOwner)

  addCommand(group, 'remove-owner <name> <login>', 'end that; takes effect immediately').action(removeOwner)

  addCommand(
    group,
    'remove <name>',
    'remove a service account with its webhook and endpoints; rooms stay',
  ).action(remove)

  addCommand(group, 'list', 'list all service accounts').action(list)
}

async function add(name: string, options: CommonOptions & { user: string; scope: string[] }) {
  const { account, clientSecret } = await withOperator(options, ({ serviceAccounts }) =>
    serviceAccounts.add(name, options.user, options.scope),
  )
  const text = `Created service account ${account.name}.\nClient secret (not shown again): ${clientSecret}`
  print(options, { service_account: account.name, client_secret: clientSecret }, text)
}

async function set(
  name: string,
  options: Settings & { enable?: true; disable?: true; keepDays?: number | 'never' },
) {
  const enabled = options.enable ? true : options.disable ? false : undefined
  await withOperator(options, async ({ serviceAccounts, users }) => {
    const account = await serviceAccounts.set(name, {
      enabled,
      scopes: options.scope,
      keepDays: options.keepDays === 'never' ? null : options.keepDays,
    })
    const stored = await storedWith(serviceAccounts, account)
    print(options, present(account, stored, loginsOf(await users.list())), `Updated service account ${name}.`)
  })
}

function readDays(text: string): number | 'never' {
  if (text === 'never') return text
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 3_650) return Number(text)
  throw new InvalidArgumentError('It must be 1 to 3650 days, or "never".')
}

function readSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= OVERLAP_MAX_SECONDS) return Number(text)
  throw new InvalidArgumentError(`It must be 0 to ${OVERLAP_MAX_SECONDS} seconds.`)
}

async function rotate(name: string, options: CommonOptions & { overlap?: number; now?: true }) {
  const { clientSecret, previousUntil } = await withOperator(options, async ({ serviceAccounts }) =>
    options.now
      ? { clientSecret: await serviceAccounts.replaceSecret(name), previousUntil: null }
      : serviceAccounts.rotate(name, options.overlap),
  )
  const until = previousUntil && new Date(previousUntil * 1000).toISOString()
  const former = until ? `The former one is valid until ${until}.` : 'The former one is revoked.'
  const view = {
    service_account: name,
    client_secret: clientSecret,
    previous_secret_expires_at: previousUntil,
  }
  print(options, view, `Client secret (not shown again): ${clientSecret}\n${former}`)
}

async function finishRotation(name: string, options: CommonOptions) {
  await withOperator(options, ({ serviceAccounts }) => serviceAccounts.finishRotation(name))
  print(options, { service_account: name }, `The former secret of ${name} is revoked.`)
}

async function addOwner(name: string, login: string, options: CommonOptions) {
  await withOperator(options, ({ serviceAccounts }) => serviceAccounts.addOwner(name, login))
  print(options, { service_account: name, owner: login }, `${login} owns ${name} now.`)
}

async function removeOwner(name: string, login: string, options: CommonOptions) {
  await withOperator(options, ({ serviceAccounts }) => serviceAccounts.removeOwner(name, login))
  print(options, { service_account: name, owner: login }, `${login} does not own ${name} any more.`)
}

async function remove(name: string, options: CommonOptions) {
  await withOperator(options, ({ serviceAccounts }) => serviceAccounts.remove(name))
  print(options, { service_account: name }, `Removed service account ${name}.`)
}

async function list(options: CommonOptions) {
  const views = await withOperator(options, async ({ serviceAccounts, users }) => {
    const logins = loginsOf(await users.list())
    const accounts = await serviceAccounts.list()
    return Promise.all(
      accounts.map(async account => present(account, await storedWith(serviceAccounts, account), logins)),
    )
  })
  const rows = views.map(view => [
    view.service_account,
    view.enabled ? 'yes' : 'no',
    view.login ?? `id ${view.user_id}`,
    view.keep_days === null ? 'always' : `${view.keep_days} days`,
    view.owners.join(' '),
    view.scopes.join(' '),
  ])
  print(
    options,
    { service_accounts: views },
    table(['name', 'enabled', 'user', 'recordings kept', 'owners', 'scopes'], rows),
  )
}

const loginsOf = (users: { id: number; login: string }[]) =>
  new Map(users.map(({ id, login }) => [id, login]))

interface Stored {
  keepDays: number | null
  owners: string[]
}

/** The stored data of the account's technical user. */
const storedWith = async (
  serviceAccounts: Operator['serviceAccounts'],
  account: Account,
): Promise<Stored> => ({
  keepDays: await serviceAccounts.keepDays(account),
  owners: await serviceAccounts.owners(account),
})

/** The public fields of an account, without the hash of its secret. */
const present = (
  { name, clientId, scopes, enabled, createdAt }: Account,
  { keepDays, owners }: Stored,
  logins: Map<number, string>,
) => ({
  service_account: name,
  user_id: clientId,
  login: logins.get(clientId) ?? null,
  scopes,
  enabled,
  keep_days: keepDays,
  owners,
  created_at: createdAt,
})
