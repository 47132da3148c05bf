import { useCallback, useEffect, useState } from 'react'
import { failureOf, useAdmin } from '../use-admin.ts'

type ResourceState<Body> =
  | { is: 'loading' }
  | { is: 'failed'; code: string | null }
  | { is: 'known'; body: Body }

/** What one path returns; loaded again by `reload`, and periodically while the page is visible. */
export function useResource<Body>(
  path: string,
  refreshMs?: number,
): { state: ResourceState<Body>; reload: () => Promise<void>; set: (body: Body) => void } {
  const { api } = useAdmin()
  const [state, setState] = useState<ResourceState<Body>>({ is: 'loading' })
  const reload = useCallback(async () => {
    const answer = await api.get<Body>(path)
    const failure = failureOf(answer)
    setState(known =>
      answer.is === 'ok'
        ? { is: 'known', body: answer.body }
        : known.is === 'known' && failure?.code === null
          ? known // the next refresh may reach the server
          : { is: 'failed', code: failure?.code ?? null },
    )
  }, [api, path])
  useEffect(() => {
    void reload()
    if (refreshMs === undefined) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void reload(), refreshMs)
    return () => clearInterval(timer)
  }, [reload, refreshMs])
  return { state, reload, set: body => setState({ is: 'known', body }) }
}
