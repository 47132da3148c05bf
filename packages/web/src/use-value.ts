import type { Observable } from '@lectern/common'
import { useSyncExternalStore } from 'react'

export const useValue = <T>(observable: Observable<T>): T =>
  useSyncExternalStore(observable.subscribe, observable.get)
