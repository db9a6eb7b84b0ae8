// The least that a picture costs as text: `image <file.jpg|file.png>` decodes it, averages it over the cells of 69 columns
// exactly, and prints the characters. Three channels of 8 bits only. Build: cc -O3 -o image image.c -ljpeg -lpng
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <png.h>

enum { columns = 69 };
static const char charset[] = " ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-,%()+/:='?";

static int64_t width, height, rows, missing, cell;
static int64_t *sums;

static void start(int64_t w, int64_t h) {
  width = w, height = missing = h;
  rows = (columns * height + width) / (2 * width);
  if (rows < 1) rows = 1;
  sums = calloc(columns * rows, sizeof *sums);
}

static int64_t weigh(const uint8_t *at, int64_t pixels) {
  uint64_t red = 0, green = 0, blue = 0;
  for (int64_t i = 0; i < pixels; i++) red += at[3 * i], green += at[3 * i + 1], blue += at[3 * i + 2];
  return 299 * red + 587 * green + 114 * blue;
}

// A pixel is `columns` wide and `rows` high, a cell `width` and `height`: every share is a whole number.
static void add(const uint8_t *pixels) {
  int64_t line[columns], from = 0, given = 0;
  for (int64_t i = 0; i < columns; i++) {
    int64_t to = (i + 1) * width / columns, part = (i + 1) * width % columns;
    int64_t cut = part == 0 ? 0 : part * weigh(pixels + 3 * to, 1);
    line[i] = columns * weigh(pixels + 3 * from, to - from) + cut - given;
    given = cut, from = to;
  }
  for (int64_t left = rows; left > 0;) {
    int64_t share = left < missing ? left : missing;
    for (int64_t i = 0; i < columns; i++) sums[cell * columns + i] += share * line[i];
    left -= share, missing -= share;
    if (missing == 0) cell++, missing = height;
  }
}

static void print(void) {
  char line[columns + 1];
  line[columns] = '\n';
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t i = 0; i < columns; i++) line[i] = charset[sums[row * columns + i] * 37 / (width * height * 128000)];
    fwrite(line, 1, sizeof line, stdout);
  }
}

static void read_jpeg(FILE *file) {
  struct jpeg_decompress_struct image;
  struct jpeg_error_mgr errors;
  image.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&image);
  jpeg_stdio_src(&image, file);
  jpeg_read_header(&image, TRUE);
  image.out_color_space = JCS_RGB;
  jpeg_start_decompress(&image);
  start(image.output_width, image.output_height);
  JSAMPROW line = malloc(3 * width);
  while (image.output_scanline < image.output_height) jpeg_read_scanlines(&image, &line, 1), add(line);
  jpeg_finish_decompress(&image);
}

static void read_png(FILE *file) {
  png_structp image = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(image);
  if (setjmp(png_jmpbuf(image))) exit(1);
  png_init_io(image, file);
  png_read_info(image, info);
  start(png_get_image_width(image, info), png_get_image_height(image, info));
  uint8_t *line = malloc(3 * width);
  for (int64_t row = 0; row < height; row++) png_read_row(image, line, NULL), add(line);
}

int main(int count, char **words) {
  FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
  if (file == NULL) return 1;
  if (strstr(words[1], ".png")) read_png(file);
  else read_jpeg(file);
  print();
  return 0;
}
