import type { ReactNode } from 'react'
import type { ModuleLoader } from '../../module-loader.ts'
import { useModule } from '../../site/use-module.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { PageFrame } from './PageFrame.tsx'

interface Props<T> {
  title: string
  loader: ModuleLoader<T>
  /** False: something else is not known yet. */
  isReady?: boolean
  children: (module: T) => ReactNode
}

/** Pages whose code loads when they are opened. */
export function ModulePage<T>({ title, loader, isReady = true, children }: Props<T>) {
  const { t } = useTexts()
  const state = useModule(loader)
  if (state.is === 'loaded' && isReady) return children(state.module)
  return (
    <PageFrame title={title}>
      <p role="status">{state.is === 'failed' ? t('loading.failedText') : t('loading.title')}</p>
      {state.is === 'failed' && <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>}
    </PageFrame>
  )
}
