;; The inner loops of image to text: sums of rows, and the filters of PNG (PNG specification, section 9) for pixels of three
;; bytes. Every function reads and writes up to 16 bytes (sums: 32) behind the end of its row. A row of `length` bytes is at
;; `from`, the unfiltered row above it at `above`, and its unfiltered bytes go to `to`.
(module
  (import "kernel" "memory" (memory 1))

  ;; sums[i] += bytes[i], for `length` bytes at `from` and as many sums of 16 bits at `sums`.
  (func (export "addRow") (param $from i32) (param $length i32) (param $sums i32)
    (local $end i32) (local $bytes v128)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (loop $next
      (local.set $bytes (v128.load (local.get $from)))
      (v128.store (local.get $sums)
        (i16x8.add (v128.load (local.get $sums)) (i16x8.extend_low_i8x16_u (local.get $bytes))))
      (v128.store offset=16 (local.get $sums)
        (i16x8.add (v128.load offset=16 (local.get $sums)) (i16x8.extend_high_i8x16_u (local.get $bytes))))
      (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
      (br_if $next (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end)))))

  ;; Filter 1: what is left of a pixel is its difference from the pixel on the left.
  (func (export "sub") (param $from i32) (param $above i32) (param $to i32) (param $length i32)
    (local $end i32) (local $left v128)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $next
      (local.set $left (i8x16.add (v128.load32_zero (local.get $from)) (local.get $left)))
      (v128.store32_lane 0 (local.get $to) (local.get $left))
      (local.set $from (i32.add (local.get $from) (i32.const 3)))
      (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 3))) (local.get $end)))))

  ;; Filter 2: the difference from the pixel above.
  (func (export "up") (param $from i32) (param $above i32) (param $to i32) (param $length i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $next
      (v128.store (local.get $to) (i8x16.add (v128.load (local.get $from)) (v128.load (local.get $above))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 16))) (local.get $end)))))

  ;; Filter 3: the difference from the mean of the left and the upper one, rounded down.
  (func (export "average") (param $from i32) (param $above i32) (param $to i32) (param $length i32)
    (local $end i32) (local $left v128) (local $up v128)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $next
      (local.set $up (v128.load32_zero (local.get $above)))
      ;; The instruction rounds up, which is one too many where exactly one of the two is odd.
      (local.set $left
        (i8x16.add (v128.load32_zero (local.get $from))
          (i8x16.sub (i8x16.avgr_u (local.get $left) (local.get $up))
            (v128.and (v128.xor (local.get $left) (local.get $up)) (i8x16.splat (i32.const 1))))))
      (v128.store32_lane 0 (local.get $to) (local.get $left))
      (local.set $from (i32.add (local.get $from) (i32.const 3)))
      (local.set $above (i32.add (local.get $above) (i32.const 3)))
      (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 3))) (local.get $end)))))

  ;; Filter 4: the difference from the one of left, up and corner that is nearest to left + up - corner.
  (func (export "paeth") (param $from i32) (param $above i32) (param $to i32) (param $length i32)
    (local $end i32) (local $left v128) (local $up v128) (local $corner v128)
    (local $byLeft v128) (local $byUp v128) (local $byCorner v128) (local $least v128)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $next
      (local.set $up (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $above))))
      (local.set $byLeft (i16x8.sub (local.get $up) (local.get $corner)))
      (local.set $byUp (i16x8.sub (local.get $left) (local.get $corner)))
      (local.set $byCorner (i16x8.abs (i16x8.add (local.get $byLeft) (local.get $byUp))))
      (local.set $byLeft (i16x8.abs (local.get $byLeft)))
      (local.set $byUp (i16x8.abs (local.get $byUp)))
      (local.set $least (i16x8.min_s (local.get $byCorner) (i16x8.min_s (local.get $byLeft) (local.get $byUp))))
      (local.set $left
        (v128.and (i16x8.splat (i32.const 255))
          (i16x8.add (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $from)))
            (v128.bitselect (local.get $left)
              (v128.bitselect (local.get $up) (local.get $corner) (i16x8.eq (local.get $least) (local.get $byUp)))
              (i16x8.eq (local.get $least) (local.get $byLeft))))))
      (local.set $corner (local.get $up))
      (v128.store32_lane 0 (local.get $to) (i8x16.narrow_i16x8_u (local.get $left) (local.get $left)))
      (local.set $from (i32.add (local.get $from) (i32.const 3)))
      (local.set $above (i32.add (local.get $above) (i32.const 3)))
      (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 3))) (local.get $end))))))
