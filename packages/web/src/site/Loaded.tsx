import type { ReactNode } from 'react'
import type { ModuleLoader } from '../module-loader.ts'
import { LoadingFailedPage, LoadingPage } from './LoadingPage.tsx'
import { useModule } from './use-module.ts'

interface LoadedProps<T> {
  code: ModuleLoader<T>
  render: (module: T) => ReactNode
}

/** A page whose code is loaded on demand. */
export function Loaded<T>({ code, render }: LoadedProps<T>) {
  const state = useModule(code)
  switch (state.is) {
    case 'loading':
      return <LoadingPage />
    case 'failed':
      return <LoadingFailedPage />
    case 'loaded':
      return render(state.module)
  }
}
