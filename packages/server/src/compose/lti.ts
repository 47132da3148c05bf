import { gradeAttempts } from '../partners/lti/grades.ts'
import { createFetch } from '../partners/lti/http.ts'
import type { LtiParts } from '../partners/lti/index.ts'
import { PlatformTokens } from '../partners/lti/platform-tokens.ts'
import { ToolKey } from '../partners/lti/tool-key.ts'
import { type GradeToSend, gradeStore } from '../partners/stores/lti/grades.ts'
import { loginStore } from '../partners/stores/lti/logins.ts'
import { platformStore } from '../partners/stores/lti/platforms.ts'
import { ConcurrencyLimiter } from '../platform/delivery/concurrency-limiter.ts'
import { DeliveryQueue } from '../platform/delivery/queue.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

/** Composes LTI; null while it is disabled. */
export function composeLti(
  { config, clock, monotonicMs, log, lifetime, lastTime }: ServerContext,
  { main }: Stores,
  { members }: Cluster,
): LtiParts | null {
  if (!config.Lti.Enabled) return null
  const stores = {
    platforms: platformStore(main.db),
    logins: loginStore(main.db),
    grades: gradeStore(main.db),
  }
  const allowInsecure = config.Lti.AllowInsecurePlatforms
  const fetch = createFetch({ allowInsecure })
  const key = new ToolKey(stores.platforms, clock)
  const tokens = new PlatformTokens({ key, fetch, clock: monotonicMs })
  const { platforms, grades: store } = stores
  const queue = new DeliveryQueue<GradeToSend>({
    kind: 'grade',
    store,
    attempt: gradeAttempts({ store, platforms, tokens, fetch, clock }),
    clock,
    log,
    limiter: new ConcurrencyLimiter(undefined, () => members.list('server').length),
    setBackMs: lastTime.setBackMs,
  })
  lifetime.own('grades', queue, each => each.stop())
  queue.start()
  const frameAncestors = config.Integration.FrameAncestors
  return { stores, key, tokens, fetch, queue, allowInsecure, frameAncestors, log }
}
