// A Superball player in the handout's style: once a move, the first line is the move. Scores the
// largest group that it can, else brings two pieces of a colour together.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

static vector<string> board;
static vector<vector<int>> seen;

static bool there(int r, int c) {
    return r >= 0 && r < (int)board.size() && c >= 0 && c < (int)board[r].size();
}

static int flood(int r, int c, char color) {
    if (!there(r, c) || seen[r][c] || tolower(board[r][c]) != color) return 0;
    seen[r][c] = 1;
    return 1 + flood(r + 1, c, color) + flood(r - 1, c, color) + flood(r, c + 1, color) +
           flood(r, c - 1, color);
}

int main(int argc, char** argv) {
    if (argc != 5) {
        cerr << "usage: sb-play rows cols min-score-size colors\n";
        exit(1);
    }
    int rows = atoi(argv[1]), cols = atoi(argv[2]), least = atoi(argv[3]);
    for (int r = 0; r < rows; r++) {
        string row;
        if (!(cin >> row) || (int)row.size() != cols) exit(1);
        board.push_back(row);
    }
    int best = 0, br = 0, bc = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            if (!isupper(board[r][c])) continue;
            seen.assign(rows, vector<int>(cols, 0));
            int size = flood(r, c, (char)tolower(board[r][c]));
            if (size > best) best = size, br = r, bc = c;
        }
    if (best >= least) {
        printf("SCORE %d %d\n", br, bc);
        printf("a group of %d\n", best);
        return 0;
    }
    vector<pair<int, int>> pieces;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            if (isalpha(board[r][c])) pieces.push_back({r, c});
    // Beside the first piece on a goal cell goes one of its colour.
    for (auto [r, c] : pieces) {
        if (!isupper(board[r][c])) continue;
        for (auto [nr, nc] :
             vector<pair<int, int>>{{r + 1, c}, {r - 1, c}, {r, c + 1}, {r, c - 1}}) {
            if (!there(nr, nc) || !isalpha(board[nr][nc])) continue;
            if (tolower(board[nr][nc]) == tolower(board[r][c])) continue;
            for (auto [pr, pc] : pieces) {
                if (isupper(board[pr][pc]) || tolower(board[pr][pc]) != tolower(board[r][c]))
                    continue;
                if (abs(pr - r) + abs(pc - c) <= 1) continue;
                printf("SWAP %d %d %d %d\n", nr, nc, pr, pc);
                return 0;
            }
        }
    }
    printf("SWAP %d %d %d %d\n", pieces[0].first, pieces[0].second, pieces[1].first,
           pieces[1].second);
    return 0;
}
