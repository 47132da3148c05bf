import { useEffect, useState } from 'react'
import type { ModuleLoader } from '../module-loader.ts'

type ModuleState<T> = { is: 'loading' } | { is: 'failed' } | { is: 'loaded'; module: T }

/** Loads a part of the page's code while the component is mounted. */
export function useModule<T>(loader: ModuleLoader<T>): ModuleState<T> {
  const [state, setState] = useState<ModuleState<T>>(() =>
    loader.loaded === null ? { is: 'loading' } : { is: 'loaded', module: loader.loaded },
  )
  useEffect(() => {
    const aborted = new AbortController()
    const { signal } = aborted
    loader.load(signal).then(
      module => signal.aborted || setState({ is: 'loaded', module }),
      () => signal.aborted || setState({ is: 'failed' }),
    )
    return () => aborted.abort()
  }, [loader])
  return state
}
