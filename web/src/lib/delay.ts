/** A value that follows another after a moment of quiet, so that not every letter is a question. */
import { useEffect, useState } from "react";

export function useDelayed<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return late;
}
