/** Exhaustiveness: the compiler rejects a call unless every case was handled before. */

/** For the end of an exhaustive `switch`: at run time, a value of a newer server gets `fallback`. */
export function never<T>(_: never, fallback: T): T {
  return fallback;
}
