// 123456 654321
// A snake challenge in the handout's style: scanf for the sizes, one row after the other, a line of letters as the answer. Takes the
// shortest way out, and is chatty.
#include <stdio.h>
#include <string.h>

#define SIDE 256

static char maze[SIDE][SIDE + 2];
static int from[SIDE * SIDE], queue[SIDE * SIDE];
static char way[SIDE * SIDE + 1];

static const char letters[] = "NSOE";
static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};

int main(int argc, char **argv)
{
    int columns, rows, start = -1, end = -1, first = 0, last = 0, length = 0;

    if (argc != 2 || strcmp(argv[1], "--challenge") != 0) {
        printf("1) gioca  2) esci\n");
        return 0;
    }
    printf("La soluzione e':\n");
    if (scanf("%d", &columns) != 1 || scanf("%d%*c", &rows) != 1)
        return 1;
    for (int r = 0; r < rows; r++) {
        if (scanf("%256[^\n]%*c", maze[r]) != 1)
            return 1;
        for (int c = 0; c < columns; c++)
            if (maze[r][c] == 'o')
                start = r * columns + c;
    }
    if (start < 0)
        return 1;
    for (int i = 0; i < rows * columns; i++)
        from[i] = -1;
    from[start] = start;
    queue[last++] = start;
    while (first < last && end < 0) {
        int at = queue[first++];
        if (maze[at / columns][at % columns] == '_')
            end = at;
        for (int i = 0; i < 4 && end < 0; i++) {
            int r = at / columns + down[i], c = at % columns + right[i];
            if (r < 0 || r >= rows || c < 0 || c >= columns || maze[r][c] == '#' || from[r * columns + c] >= 0)
                continue;
            from[r * columns + c] = at;
            queue[last++] = r * columns + c;
        }
    }
    for (int at = end; at >= 0 && at != start; at = from[at]) {
        for (int i = 0; i < 4; i++)
            if (from[at] / columns + down[i] == at / columns && from[at] % columns + right[i] == at % columns)
                way[length++] = letters[i];
    }
    while (length > 0)
        putchar(way[--length]);
    printf("\n\n");
    return 0;
}
