type Unit = "byte" | "kilobyte" | "megabyte";

function write(value: number, unit: Unit, maximumFractionDigits: number, language: string): string {
  // The short unit of bytes would be "byte" in English, even for several.
  const unitDisplay = unit === "byte" ? "long" : "short";
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(value);
}

/** A size in familiar units, such as `1.5 MB`. */
export function formatSize(bytes: number, language: string): string {
  if (bytes < 1000) return write(bytes, "byte", 0, language);
  if (bytes < 999_500) return write(bytes / 1000, "kilobyte", 0, language);
  return write(bytes / 1_000_000, "megabyte", 1, language);
}
