import type { WebhookStore } from '../stores/webhooks.ts'

/**
 * The webhooks of a disabled or deleted technical user are not active: the API refuses its partner, who gets no events either
 * (rule EVENT-9).
 */
export const activeWhileUsable = (
  store: WebhookStore,
  isUsable: (clientId: number) => Promise<boolean>,
): WebhookStore => ({
  ...store,
  active: async owner => {
    const found = await store.active(owner)
    const usable = await Promise.all(found.map(({ clientId }) => isUsable(clientId)))
    return found.filter((_, index) => usable[index])
  },
})
