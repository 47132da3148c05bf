import { useCallback, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useAdmin } from '../use-admin.ts'
import { failureOf } from './console-api.ts'

type ResourceState<Body> =
  | { is: 'loading' }
  | { is: 'failed'; code: string | null }
  | { is: 'known'; body: Body }

/**
 * The answer of one path; loaded again by `reload`, and periodically while the page is visible. Known data stays while
 * the server cannot be reached, with a notice: a server that is down would otherwise look as it was.
 */
export function useResource<Body>(
  path: string,
  refreshMs?: number,
): { state: ResourceState<Body>; reload: () => Promise<void>; set: (body: Body) => void } {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [state, setState] = useState<ResourceState<Body>>({ is: 'loading' })
  const current = useRef({ isKnown: false, isAway: false })
  const unreachable = t('admin.failure.unreachable')
  const reload = useCallback(async () => {
    const answer = await api.get<Body>(path)
    const failure = failureOf(answer)
    const { isKnown, isAway: wasAway } = current.current
    const isAway = isKnown && failure?.code === null
    if (isAway) notify({ text: unreachable, isFailure: true })
    else if (wasAway) notify(null)
    current.current = { isKnown: isAway || answer.is === 'ok', isAway }
    if (isAway) return
    setState(
      answer.is === 'ok' ? { is: 'known', body: answer.body } : { is: 'failed', code: failure?.code ?? null },
    )
  }, [api, notify, path, unreachable])
  useEffect(() => {
    void reload()
    if (refreshMs === undefined) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), refreshMs)
    return () => clearInterval(timer)
  }, [reload, refreshMs])
  return { state, reload, set: body => setState({ is: 'known', body }) }
}
