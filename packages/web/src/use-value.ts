import { useSyncExternalStore } from 'react'
import type { Observable } from './observable.ts'

export const useValue = <T>(observable: Observable<T>): T =>
  useSyncExternalStore(observable.subscribe, observable.get)
