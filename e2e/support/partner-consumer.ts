/** A program of a partner, compiled strictly, without our other packages and without the types of Node. */
export const CONSUMER = `
import { LecternError, PartnerClient, verifyWebhook, WebhookVerificationError } from '@lectern/partner'
import type { DeliveryDetailsResponse, RoomPutResponse, WebhookEvent } from '@lectern/partner'

declare const process: { env: Record<string, string> }
const { LECTERN_URL, LECTERN_ACCOUNT, LECTERN_SECRET, LECTERN_ROOM, LECTERN_WEBHOOK } = process.env
const client = new PartnerClient({
  baseUrl: LECTERN_URL!,
  serviceAccount: LECTERN_ACCOUNT!,
  clientSecret: LECTERN_SECRET!,
})
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof LecternError ? error.status + ' ' + error.code : String(error)),
  )
export const textOf = (event: WebhookEvent): string =>
  event.type === 'transcription.ready'
    ? event.data.transcription.text
    : event.type === 'recording.ready'
      ? event.data.recording.status
      : event.data.service_account
export const verify: (delivery: Parameters<typeof verifyWebhook>[0]) => WebhookEvent = verifyWebhook
const [FIRST, SECOND] = ['the-first-secret-of-the-partner', 'the-second-secret-of-the-partner']
interface Received { headers: [string, string][]; body: string }
const pause = () => new Promise(resolve => setTimeout(resolve, 50))
const received = async (count: number): Promise<Received[]> => {
  for (;;) {
    const deliveries: Received[] = await (await fetch(LECTERN_WEBHOOK!)).json()
    if (deliveries.length >= count) return deliveries
    await pause()
  }
}
const delivered = async ({ id }: { id: string }): Promise<DeliveryDetailsResponse> => {
  for (;;) {
    const delivery = await client.getDelivery(id)
    if (delivery.status !== 'pending') return delivery
    await pause()
  }
}
const secretsOf = ({ headers, body }: Received) =>
  [FIRST, SECOND].filter(secret => {
    try {
      return verifyWebhook({ rawBody: body, headers: new Headers(headers), secret }).type === 'webhook.test'
    } catch (error) {
      if (error instanceof WebhookVerificationError && error.reason === 'signature_mismatch') return false
      throw error
    }
  })
const id = LECTERN_ROOM!
const info = await client.serverInfo()
const teacher = { display_name: 'Anna', external_id: id }
const created: RoomPutResponse = await client.createRoom(id, { title: 'Algebra', teacher })
const again = await client.createRoom(id, { title: 'Another' })
const moved = await client.updateRoom(id, { title: 'Geometry' })
const status = await client.roomStatus(id)
const rooms = await client.listRooms({ teacher: id, search: 'geometry', limit: 1 })
const webhook = await client.setWebhook({ url: LECTERN_WEBHOOK!, secret: FIRST, enabled: true })
const test = await delivered(await client.testWebhook())
const rotating = await client.rotateWebhookSecret({ secret: SECOND, overlap_seconds: 600 })
const replayed = await client.replayDelivery(test.id)
await received(2)
const finished = await client.finishWebhookRotation()
const last = await delivered(await client.testWebhook())
const deliveries = await client.listDeliveries({ status: 'delivered', limit: 1 })
const listed = (await client.listDeliveries()).deliveries.map(delivery => delivery.id)
const sent = await received(3)
const off = await client.setWebhook({ enabled: false })
const recordings = await client.listRecordings()
const cancelled = await client.cancelRoom(id)
const closed = await client.closeRoom(id)
console.log(
  JSON.stringify({
    version: info.api.version,
    title: created.title,
    again: again.title,
    links: created.teacher_join_url !== created.student_join_url,
    moved: moved.title,
    same: (await client.getRoom(id)).tag === created.tag,
    put: [created.created, again.created, again.differing_fields],
    list: [rooms.rooms.map(room => room.external_id), rooms.next],
    status: [status.status, status.live],
    webhook: [webhook.enabled, off.enabled, (await client.getWebhook()).url === LECTERN_WEBHOOK],
    rotation: [rotating.previous_secret_expires_at !== null, finished.previous_secret_expires_at],
    test: [test.event, test.history[0]!.response_status, test.payload.id === test.id],
    replay: [replayed.id === test.id, sent[1]!.body === sent[0]!.body],
    deliveries: [deliveries.deliveries.length, deliveries.next !== null, listed.includes(last.id)],
    secrets: sent.map(secretsOf),
    deleted: (await client.deleteWebhook()).configured,
    recordings,
    blob: await codeOf(client.downloadBlob('no-such-blob')),
    missing: await codeOf(client.getRoom('no-such-room')),
    ended: [cancelled.status, closed.status],
  }),
)
`
