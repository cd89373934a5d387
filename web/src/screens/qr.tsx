/** A link as a QR code. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export function QrCode({ text, label }: { text: string; label: string }) {
  const path = useSignal("");
  const size = useSignal(0);
  useEffect(() => {
    // Loaded on demand: most players never open it.
    void import("uqr").then(({ encode }) => {
      const found = encode(text, { ecc: "M", border: 2 });
      size.value = found.size;
      path.value = found.data
        .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
        .join("");
    });
  }, [text]);
  if (size.value === 0) return <div class="qr" />;
  return (
    <svg class="qr" viewBox={`0 0 ${size.value} ${size.value}`} role="img" aria-label={label}>
      <path class="paper" d={`M0 0h${size.value}v${size.value}H0z`} />
      <path class="ink" d={path.value} />
    </svg>
  );
}
