import { generateVapidKeys, type Operator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import { addCommand, type CommonOptions, withJson, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

type Subscription = Awaited<ReturnType<Operator['push']['subscriptions']>>[number]

export function addPush(lectern: Command) {
  const push = lectern.command('push').description('set up and inspect push notifications')

  withJson(push.command('keys').description('generate a pair of VAPID keys for [Push]')).action(keys)

  addCommand(push, 'test <login>', 'send a notification to every subscription of an account').action(test)

  addCommand(push, 'subscriptions <login>', 'list the subscriptions of an account, newest first').action(
    subscriptions,
  )

  addCommand(push, 'remove <login>', 'remove the subscriptions of an account')
    .argument('[number]', 'only the one with this number in the list', readNumber)
    .action(remove)

  addCommand(push, 'queue', 'list notifications that wait, the oldest first')
    .option('--limit <count>', 'maximum number of notifications', readNumber, 500)
    .action(queue)
}

function keys(options: { json?: true }) {
  const { publicKey, privateKey } = generateVapidKeys()
  print(
    options,
    { vapid_public_key: publicKey, vapid_private_key: privateKey },
    [
      '[Push]',
      'Enabled = 1',
      `VapidPublicKey = ${publicKey}`,
      `VapidPrivateKey = ${privateKey}`,
      'Subject = mailto:you@example.org',
    ].join('\n'),
  )
}

async function test(login: string, options: CommonOptions) {
  const results = await withOperator(options, ({ push }) => push.test(login))
  const views = results.map(({ subscription, answer, accepted, removed }) => ({
    ...present(subscription),
    answer,
    accepted,
    removed,
  }))
  const rows = views.map(({ platform, push_service, answer, accepted, removed }) => [
    platform,
    push_service,
    answer,
    accepted ? 'accepted' : removed ? 'removed' : 'failed',
  ])
  const none = `${login} has no subscriptions: turn notifications on in the settings of a browser.`
  const text = rows.length > 0 ? table(['platform', 'push service', 'answer', 'result'], rows) : none
  print(options, { results: views }, text)
  if (!views.some(({ accepted }) => accepted)) process.exitCode = 1
}

async function subscriptions(login: string, options: CommonOptions) {
  const views = (await withOperator(options, ({ push }) => push.subscriptions(login))).map(present)
  const rows = views.map((view, index) => [
    String(index + 1),
    view.provider,
    view.platform,
    view.push_service,
    view.permission,
    timeOf(view.updated_at * 1000),
    view.user_agent,
  ])
  const headings = ['number', 'provider', 'platform', 'push service', 'permission', 'updated', 'browser']
  print(options, { subscriptions: views }, table(headings, rows))
}

async function remove(login: string, number: number | undefined, options: CommonOptions) {
  const removed = await withOperator(options, ({ push }) => push.remove(login, number))
  const count = removed.length
  print(options, { removed: removed.map(present) }, `Removed ${count} subscription${count === 1 ? '' : 's'}.`)
}

async function queue(options: CommonOptions & { limit: number }) {
  const { pushes, more } = await withOperator(options, ({ push }) => push.queue(options.limit))
  const views = pushes.map(push => ({
    id: push.id,
    user_id: push.clientId,
    type: push.type,
    push_service: push.origin,
    attempts: push.attempts,
    error: push.error,
    created_at_ms: push.createdAtMs,
    next_attempt_at_ms: push.nextAttemptAtMs,
    expires_at_ms: push.expiresAtMs,
  }))
  const rows = views.map(view => [
    view.id,
    String(view.user_id),
    view.type,
    view.push_service,
    String(view.attempts),
    view.error ?? '',
    timeOf(view.created_at_ms),
    timeOf(view.next_attempt_at_ms),
  ])
  const headings = ['id', 'user', 'type', 'push service', 'attempts', 'error', 'created', 'next attempt']
  const hint = more ? `\nMore exist: --limit ${options.limit * 2} shows them.` : ''
  print(options, { pushes: views, more }, table(headings, rows) + hint)
}

/** Without endpoint, token and keys: these allow sending to the device. */
const present = (subscription: Subscription) => ({
  provider: subscription.provider,
  platform: subscription.platform,
  push_service: subscription.provider === 'webpush' ? new URL(subscription.endpoint).origin : '',
  permission: subscription.permission,
  user_agent: subscription.userAgent,
  expiration_time: subscription.expirationTime,
  updated_at: subscription.updatedAt,
})

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 999999.')
  return Number(text)
}

const timeOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')
